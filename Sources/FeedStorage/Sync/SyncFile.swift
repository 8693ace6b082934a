package import FeedModel
internal import PropertyLists
package import System

/// A file with what a machine knows: `sync.plist` in a home, and `news-ID.plist` in a folder that
/// machines have in common.
///
/// A dictionary with the machine, its name, the machines that it knows of with the number of the last
/// change that it has seen of each, and the values: marks as data, 23 bytes each, the others as an
/// array of dictionaries.
package struct SyncFile: Sendable {
  /// Of another machine's file `stories` alone of what is not `replica`.
  package var state: SyncState
  /// What people call the machine.
  package var name = ""
  package var written: Date?

  static let version = 1
  static let maximumSize = 64 << 20
  /// What two bytes number.
  private static let maximumMachines = 65_535
  private static let markSize = 23
  /// What a property list's number holds, with room for what comes behind it.
  private static let latest = UInt64.max >> 2

  package init(_ state: SyncState, name: String = "", written: Date? = nil) {
    (self.state, self.name, self.written) = (state, name, written)
  }

  /// Reads a file, if there is one: another machine's, without what is later than `latest`; the
  /// home's own as large as it has become.
  init?(path: String, latest: UInt64? = nil) throws(StorageError) {
    let limit = latest == nil ? LibraryStore.maximumSize : Self.maximumSize
    guard let (reader, _) = try LibraryStore.reader(path, atMost: limit) else { return nil }
    try self.init(reader, path: path, latest)
  }

  /// Reads what another machine has sent, without what is later than `latest`.
  package init(_ bytes: [UInt8], from name: String, latest: UInt64) throws(StorageError) {
    let reader = try ItemTable.reading(name) { () throws(PropertyListError) in
      try PropertyList.reader(PropertyListBytes(bytes))
    }
    try self.init(reader, path: name, latest)
  }

  private init(
    _ reader: BinaryPropertyListReader,
    path: String,
    _ latest: UInt64?,
  ) throws(StorageError) {
    let value = try ItemTable.reading(path) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    let damaged = { (reason: String) in StorageError.damaged(path: path, reason: reason) }
    guard let root = value.dictionary,
      let machine = root["machine"]?.string.flatMap({ MachineID($0) })
    else { throw damaged("it does not say of which machine it is") }
    let version = Int(root["version"]?.integer ?? 1)
    guard version <= Self.version else {
      throw .newerVersion(path: path, version: version, supported: Self.version)
    }
    // What a home alone may know counts in its own file alone.
    let isOwn = latest == nil
    state = SyncState(machine: machine, place: isOwn ? root["place"]?.string ?? "" : "")
    name = String(SafeText.line(root["name"]?.string ?? "").prefix(64))
    written = root["date"]?.asDate
    let machines = (root["machines"]?.asStrings ?? []).compactMap { MachineID($0) }
    let seen = (root["seen"]?.array ?? []).compactMap { $0.asSerial }
    guard machines.count == root["machines"]?.array?.count ?? 0, machines.count == seen.count,
      machines.count <= (isOwn ? Self.maximumMachines : ReplicaLimits.told.machines)
    else { throw damaged("what it says of other machines is not understood") }
    state.replica.seen = Dictionary(zip(machines, seen), uniquingKeysWith: max)
    try readMarks(root["marks"], machines, latest, damaged)
    try readSettings(root["settings"], machines, latest, damaged)
    state.stories = root["stories"]?.asHashes.map { Set($0.prefix(ReplicaLimits.told.marks)) }
    if isOwn { readOwn(root) }
  }

  private mutating func readMarks(
    _ value: PropertyListValue?,
    _ machines: [MachineID],
    _ latest: UInt64?,
    _ damaged: (String) -> StorageError,
  ) throws(StorageError) {
    guard let value else { return }
    guard case .data(let bytes) = value, bytes.count % Self.markSize == 0,
      latest == nil || bytes.count <= ReplicaLimits.told.marks * Self.markSize
    else { throw damaged("its marks are cut short, or more than \(ReplicaLimits.told.marks)") }
    for start in stride(from: 0, to: bytes.count, by: Self.markSize) {
      let time = bytes.number(at: start + 8, width: 8)
      let machine = Int(bytes.number(at: start + 16, width: 2))
      let mark = SyncKey.StoryMark(rawValue: bytes[start + 22] & 0x7F)
      guard let mark, machines.indices.contains(machine),
        time <= latest ?? Self.latest
      else { continue }
      state.replica.registers[.story(bytes.number(at: start, width: 8), mark)] = Replica.Register(
        bytes[start + 22] & 0x80 == 0 ? .none : .yes,
        SyncStamp(time: time, machine: machines[machine]),
        serial: UInt32(bytes.number(at: start + 18, width: 4)),
      )
    }
  }

  private mutating func readSettings(
    _ value: PropertyListValue?,
    _ machines: [MachineID],
    _ latest: UInt64?,
    _ damaged: (String) -> StorageError,
  ) throws(StorageError) {
    let settings = value?.array ?? []
    guard latest == nil || settings.count <= ReplicaLimits.told.settings else {
      throw damaged("it has more than \(ReplicaLimits.told.settings) settings")
    }
    for setting in settings.lazy.compactMap(\.dictionary) {
      guard let (key, value) = SyncKey.pair(setting), let machine = setting["machine"]?.asInt,
        machines.indices.contains(machine), let time = setting["time"]?.integer, time >= 0,
        UInt64(time) <= latest ?? Self.latest, let serial = setting["serial"]?.asSerial
      else { continue }
      state.replica.registers[key] = Replica.Register(
        value,
        SyncStamp(time: UInt64(time), machine: machines[machine]),
        serial: serial,
      )
    }
  }

  private mutating func readOwn(_ root: PropertyListDictionary) {
    state.replica.dropped = UInt64(clamping: root["dropped"]?.integer ?? 0)
    state.taken = UInt64(clamping: root["taken"]?.integer ?? 0)
    for entry in root["servers"]?.dictionary?.entries ?? [] {
      guard let times = entry.value.array?.compactMap(\.integer), times.count == 2 else { continue }
      state.servers[entry.key] = ServerAgreement(
        time: UInt64(clamping: times[0]),
        former: UInt64(clamping: times[1]),
      )
    }
    for entry in root["names"]?.dictionary?.entries ?? [] {
      if let machine = MachineID(entry.key) { state.names[machine] = entry.value.string }
    }
  }

  /// Whether it tells others just the same.
  package func isSame(as other: SyncFile) -> Bool {
    state.replica.isSame(as: other.state.replica) && state.stories == other.state.stories
  }

  // MARK: Writing

  /// What is to be saved; where it is shared without what only the home is to know.
  package func bytes(isShared: Bool) -> [UInt8] {
    let registers = state.replica.registers
    let known = Set(registers.values.map(\.stamp.machine)).union(state.replica.seen.keys).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(known, known.indices))
    var root: PropertyListDictionary = [
      "version": .integer(Int64(Self.version)), "machine": .string("\(state.machine)"),
      "machines": .array(known.map { .string("\($0)") }),
      "seen": .array(known.map { .integer(Int64(state.replica.seen[$0] ?? 0)) }),
      "marks": .data(marks(numbers)), "settings": .array(settings(numbers)),
    ]
    root["stories"] = state.stories.map { .hashes($0.sorted()) ?? .data([]) }
    if isShared {
      root["name"] = .string(name)
      root["date"] = .date(written)
    } else {
      root["place"] = .string(state.place)
      root["dropped"] = .integer(Int64(clamping: state.replica.dropped))
      addOwn(to: &root)
    }
    return PropertyList.encode(.dictionary(root))
  }

  private func marks(_ numbers: [MachineID: Int]) -> [UInt8] {
    var all: [(story: UInt64, mark: SyncKey.StoryMark, register: Replica.Register)] = []
    for (key, register) in state.replica.registers {
      if case .story(let story, let mark) = key { all.append((story, mark, register)) }
    }
    all.sort { ($0.story, $0.mark.rawValue) < ($1.story, $1.mark.rawValue) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(all.count * Self.markSize)
    for (story, mark, register) in all {
      bytes.append(story, width: 8)
      bytes.append(register.stamp.time, width: 8)
      bytes.append(UInt64(numbers[register.stamp.machine] ?? 0), width: 2)
      bytes.append(UInt64(register.serial), width: 4)
      bytes.append(mark.rawValue | (register.isGone ? 0 : 0x80))
    }
    return bytes
  }

  private func settings(_ numbers: [MachineID: Int]) -> [PropertyListValue] {
    SyncKey.sorted(state.replica.registers).map { key, register in
      var setting = key.dictionary(register.value)
      setting.append("time", .integer(Int64(clamping: register.stamp.time)))
      setting.append("machine", .integer(Int64(numbers[register.stamp.machine] ?? 0)))
      setting.append("serial", .integer(Int64(register.serial)))
      return .dictionary(setting)
    }
  }

  private func addOwn(to root: inout PropertyListDictionary) {
    root["taken"] = .integer(Int64(clamping: state.taken))
    let servers = state.servers.sorted { $0.key < $1.key }
    root["servers"] = .dictionary(
      servers.reduce(into: [:]) { all, server in
        let times = [server.value.time, server.value.former]
        all.append(server.key, .array(times.map { .integer(Int64(clamping: $0)) }))
      }
    )
    let names = state.names.sorted { $0.key < $1.key }
    root["names"] = .dictionary(
      names.reduce(into: [:]) { $0.append("\($1.key)", .string($1.value)) }
    )
  }
}

extension SyncKey {
  /// All but the marks, always in one order.
  static func sorted<Value>(_ values: [SyncKey: Value]) -> [(SyncKey, Value)] {
    values.filter { $0.key.order != nil }.sorted { ($0.key.order ?? "") < ($1.key.order ?? "") }
  }

  /// nil for a mark.
  fileprivate var order: String? {
    switch self {
    case .story: nil
    case .feed(let url, let aspect): "feed \(url) \(aspect)"
    case .rule(let name): "rule \(name)"
    case .ruleOrder: "order"
    }
  }

  func dictionary(_ value: SyncValue) -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    switch self {
    case .story: break
    case .feed(let url, let aspect):
      dictionary.append("feed", .string(url))
      dictionary.append("what", .string(aspect.rawValue))
    case .rule(let name): dictionary.append("rule", .string(name))
    case .ruleOrder: dictionary.append("what", .string("rules"))
    }
    if let value = value.propertyList { dictionary.append("value", value) }
    return dictionary
  }

  /// nil for what no machine could have written.
  static func pair(_ dictionary: PropertyListDictionary) -> (SyncKey, SyncValue)? {
    let key: SyncKey
    if let name = dictionary["rule"]?.string {
      key = .rule(name)
    } else if let url = dictionary["feed"]?.string {
      guard let aspect = dictionary["what"]?.string.flatMap(FeedAspect.init) else { return nil }
      key = .feed(url, aspect)
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
  fileprivate init?(_ value: PropertyListValue?) {
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

  fileprivate var propertyList: PropertyListValue? {
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

extension PropertyListValue {
  fileprivate var asSerial: UInt32? {
    integer.flatMap { (0...1 << 30).contains($0) ? UInt32($0) : nil }
  }
}

extension [UInt8] {
  func number(at start: Int, width: Int) -> UInt64 {
    var number: UInt64 = 0
    for place in start..<start + width { number = number << 8 | UInt64(self[place]) }
    return number
  }

  mutating func append(_ number: UInt64, width: Int) {
    for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
