internal import FeedModel
internal import PropertyLists

/// The form of a machine's file, in which machines are known by their indices in a list.
///
/// It writes large parts, but `SyncFile.Parts` reads them.
struct SyncForm: Sendable {
  /// The file without its large parts.
  var file: SyncFile
  var machines: [MachineID]? = []
  var seen: [UInt32] = []
  var marks: [UInt8]?
  var tags: [String: [UInt8]]?
  /// The marks of the other kinds, by their names and then by their texts; marks without a text
  /// have an empty one.
  var others: [String: [String: [UInt8]]]?
  var settings: [PropertyListValue] = []

  init(_ file: SyncFile) { self.file = file }

  private static let common: PropertyListTable<SyncForm> = .init(
    SyncForm(SyncFile(SyncState(machine: MachineID(0), origin: ""))),
    [
      .version { _ in SyncFile.version },
      .init("machine", { $1(&$0.file.state.machine) }, required: .machine),
      .init("machines", { $1(&$0.machines) }, .array(of: .machine)),
      .init("seen", { $1(&$0.seen) }, always: .list(of: .exactSerial)),
      .init("marks", { $1(&$0.marks) }, .data),
      .init("tags", { $1(&$0.tags) }, .dictionary(of: .data)),
      .init("later", { $1(&$0.others) }, .dictionary(of: .dictionary(of: .data))),
      .init("settings", { $1(&$0.settings) }, always: .array(of: .value)),
    ],
  )

  static let shared = common.adding([
    .init("name", { $1(&$0.file.name) }, always: .machineName),
    .init("date", { $1(&$0.file.written) }, .date),
  ])

  static let own = common.adding([
    .init("place", { $1(&$0.file.state.origin) }, always: .string),
    .init("dropped", { $1(&$0.file.state.replica.collected) }, always: .number),
    .init("taken", { $1(&$0.file.state.taken) }, always: .number),
    .init("since", { $1(&$0.file.state.since) }, always: .number),
    .init("servers", { $1(&$0.file.state.servers) }, always: .dictionary(of: .agreement)),
    .init("names", { $1(&$0.file.state.names) }, always: .byMachine(.string)),
  ])
}

extension PropertyListCoding where Value == MachineID {
  fileprivate static var machine: Self {
    PropertyListCoding<String>.string.map({ MachineID($0) }, back: \.description)
  }
}

extension PropertyListCoding where Value == UInt32 {
  static var exactSerial: Self {
    Self(
      decode: { $0.integer.flatMap { (0...1 << 30).contains($0) ? UInt32($0) : nil } },
      encode: { .integer(Int64($0)) },
    )
  }
}

extension PropertyListCoding where Value == String {
  /// The machine's name, safe to print, with 64 characters at most.
  fileprivate static var machineName: Self {
    PropertyListCoding<String>.line.map({ String($0.prefix(64)) }, back: { $0 })
  }
}

extension PropertyListCoding {
  /// A dictionary by the machines' ids.
  static func byMachine<Element>(
    _ element: PropertyListCoding<Element>
  ) -> Self where Value == [MachineID: Element] {
    PropertyListCoding<[String: Element]>.dictionary(of: element).map(
      { named in
        named.reduce(into: [:]) { all, entry in
          if let machine = MachineID(entry.key) { all[machine] = entry.value }
        }
      },
      back: { all in all.reduce(into: [:]) { $0["\($1.key)"] = $1.value } },
    )
  }
}

extension PropertyListCoding where Value == ServerAgreement {
  fileprivate static var agreement: Self {
    PropertyListCoding<[UInt64]>.list(of: .number).map(
      { $0.count == 2 ? ServerAgreement(time: $0[0], former: $0[1]) : nil },
      back: { [$0.time, $0.former] },
    )
  }
}

extension SyncKey {
  /// The values without marks, always in one order.
  static func sorted<Value>(_ values: [SyncKey: Value]) -> [(SyncKey, Value)] {
    values.filter { $0.key.order != nil }.sorted { ($0.key.order ?? "") < ($1.key.order ?? "") }
  }

  fileprivate var order: String? {
    switch self {
    case .story: nil
    case .feed(let url, let setting): "feed \(url) \(setting.name)"
    case .rule(let name): "rule \(name)"
    case .ruleOrder: "order"
    }
  }

  func dictionary(_ value: SyncValue) -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    switch self {
    case .story: break
    case .feed(let url, let setting):
      dictionary.append("feed", .string(url))
      dictionary.append("what", .string(setting.name))
    case .rule(let name): dictionary.append("rule", .string(name))
    case .ruleOrder: dictionary.append("what", .string("rules"))
    }
    if let value = value.propertyList { dictionary.append("value", value) }
    return dictionary
  }

  /// Returns nil for a value that no machine could have written.
  static func pair(_ dictionary: PropertyListDictionary) -> (SyncKey, SyncValue)? {
    let key: SyncKey
    if let name = dictionary["rule"]?.string {
      key = .rule(name)
    } else if let url = dictionary["feed"]?.string {
      guard let setting = dictionary["what"]?.string.flatMap({ SharedSetting($0) }) else {
        return nil
      }
      key = .feed(url, setting)
    } else {
      key = .ruleOrder
    }
    guard key.isSound, let value = SyncValue(dictionary["value"]), key.accepts(value) else {
      return nil
    }
    return (key, value)
  }
}

extension SyncValue {
  init?(_ value: PropertyListValue?) {
    switch value {
    case nil: self = .none
    case .boolean(true): self = .yes
    case .integer(let number): self = .number(Int(number))
    case .string(let text): self = .text(text)
    case .array(let values):
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { return nil }
      self = .texts(texts)
    case .dictionary(let dictionary):
      guard let rule = PropertyListCoding.rule.decode(.dictionary(dictionary)) else { return nil }
      self = .rule(rule)
    default: return nil
    }
  }

  var propertyList: PropertyListValue? {
    switch self {
    case .none: nil
    case .yes: .boolean(true)
    case .number(let number): .integer(Int64(number))
    case .text(let text): .string(text)
    case .texts(let texts): .array(texts.map { .string($0) })
    case .rule(let rule): PropertyListCoding.rule.encode(rule)
    }
  }
}

extension SyncKey.StoryMark {
  typealias Named = (mark: SyncKey.StoryMark, value: SyncValue?)

  func name(_ value: SyncValue) -> String {
    if case .tag(let name) = self { value.text ?? name } else { value.text ?? "" }
  }

  /// The mark of a kind (`kinds`) with a name; nil for one that nobody writes.
  static func named(_ name: String, _ kind: SyncKey.StoryMark) -> Named? {
    let (mark, value) =
      kind.isTag ? tagged(name) : (kind, texts.contains(kind) ? .text(name) : .yes)
    let key = SyncKey.story(0, mark)
    guard key.accepts(value) else { return kind.isTag ? nil : (mark, nil) }
    return key.isSound ? (mark, value) : nil
  }

  /// The mark and value of a byte, with the name under which it stands; nil for one that nobody
  /// writes.
  static func pair(_ byte: UInt8, _ named: Named?) -> (SyncKey.StoryMark, SyncValue)? {
    let (number, isSet) = (byte & 0x7F, byte & 0x80 > 0)
    guard let named else {
      return StoryFlag(rawValue: number).map { (.flag($0), isSet ? .yes : .none) }
    }
    guard number == 0 else { return nil }
    return isSet ? named.value.map { (named.mark, $0) } : (named.mark, .none)
  }

  func byte(_ value: SyncValue) -> UInt8 {
    let number = if case .flag(let flag) = self { flag.rawValue } else { 0 as UInt8 }
    return number | (value == .none ? 0 : 0x80)
  }
}
