package import FeedModel
internal import PropertyLists

/// The file `rules.plist`: an array of dictionaries, in the user's order.
///
/// Keys that this version does not know are kept. A file with anything else that it does not
/// understand is damaged as a whole: half of a rule would drop what the other half spares.
struct RulesFile {
  let path: String

  static let maximumSize = 1 << 20
  static let maximumRules = 1_000

  private var file: PropertyListFile<[PropertyListValue]> {
    PropertyListFile(
      path: path,
      coding: .array(of: .value),
      maximumSize: Self.maximumSize,
      damage: "the top-level object is not an array",
    )
  }

  func read() throws -> [StoryRule] {
    try rules(dictionaries())
  }

  private func rules(_ dictionaries: [PropertyListDictionary]) throws -> [StoryRule] {
    var rules: [StoryRule] = []
    var names: Set<String> = []
    for dictionary in dictionaries {
      let number = rules.count + 1
      guard let name = dictionary["name"]?.string, !name.isEmpty else {
        throw damaged("rule \(number) has no name")
      }
      guard name.count <= StoryRule.maximumName else {
        throw damaged("rule \(number) has a name of more than \(StoryRule.maximumName) characters")
      }
      guard names.insert(name.lowercased()).inserted else {
        throw damaged("there are two rules \(name)")
      }
      guard let rule = PropertyListCoding.rule.decode(.dictionary(dictionary)) else {
        throw damaged("what the rule \(name) says is not understood")
      }
      rules.append(rule)
    }
    return rules
  }

  func save(_ rules: [StoryRule], after last: () throws -> Void) throws {
    guard rules.count <= Self.maximumRules else {
      throw StorageError.refused("there may be no more than \(Self.maximumRules) rules")
    }
    var old: [String: PropertyListDictionary] = [:]
    for dictionary in try dictionaries() { old[dictionary["name"]?.string ?? ""] = dictionary }
    let all = rules.map { StoryRule.table.dictionary($0, over: old[$0.name] ?? [:]) }
    // Rules that an undo restores come from a file, too.
    _ = try self.rules(all)
    let bytes = file.bytes(all.map { .dictionary($0) })
    guard bytes.count <= Self.maximumSize else {
      throw StorageError.tooLarge(path: path, limit: Self.maximumSize)
    }
    try AtomicFile(path: path, .following(.none)).replace(after: last) { sink in
      try AtomicFile.write(bytes, to: sink)
    }
  }

  private func dictionaries() throws -> [PropertyListDictionary] {
    let elements = try file.read() ?? []
    guard elements.count <= Self.maximumRules else {
      throw damaged("it has more than \(Self.maximumRules) rules")
    }
    let dictionaries = elements.compactMap(\.dictionary)
    guard dictionaries.count == elements.count else { throw damaged("a rule is not a dictionary") }
    return dictionaries
  }

  private func damaged(_ reason: String) -> StorageError {
    .damaged(path: path, reason: reason)
  }
}

extension LibraryStore {
  var rulesFile: RulesFile { RulesFile(path: path(.rules)) }

  package func rules() throws -> [StoryRule] {
    let rules = try rulesFile.read()
    let feeds = try SubscriptionsFile(path: subscriptionsPath).feedsThatArriveRead()
    var rule = StoryRule(name: "arrives read")
    (rule.feeds, rule.actions) = (feeds, [.read])
    let isThere = rules.contains { $0.name.lowercased() == rule.name }
    return feeds.isEmpty || isThere ? rules : rules + [rule]
  }

  /// Saves the subscriptions of an earlier version as those of this one, which that refuses, and a rule
  /// in place of a setting that it had; the caller holds the lock.
  func renewFormer() throws {
    let file = SubscriptionsFile(path: subscriptionsPath)
    if try !file.feedsThatArriveRead().isEmpty { try rulesFile.save(rules()) {} }
    try file.save(file.read())
  }

  /// The rules that have a fetch tell of stories; none where rules cannot be read, which fails the
  /// fetch itself.
  package var notifyingRules: [StoryRule] { ((try? rules()) ?? []).filter(\.notifies) }
}

extension StoryRule {
  static let table: PropertyListTable<StoryRule> = .init(
    StoryRule(name: ""),
    [
      .init("name", { $1(&$0.name) }, required: .string),
      .init("feeds", { $1(&$0.feeds) }, exactly: .array(of: .string)),
      .init("grep", { $1(&$0.grep) }, exactly: .array(of: .string)),
      .init("text", get: { !$0.grep.isEmpty }, set: { _, _ in }, .boolean),
      .init("unread", { $1(&$0.isUnread) }, exactly: .boolean),
      .init("starred", { $1(&$0.isStarred) }, exactly: .boolean),
      .init("then", { $1(&$0.otherActions) }, exactly: .array(of: .action)),
      .init("notify", { $1(&$0.notifies) }, exactly: .boolean),
    ],
  )

  /// The actions but for `notify`, which earlier versions do not know.
  ///
  /// They would take the whole file for damaged; a key of a rule that they do not know they keep.
  private var otherActions: [StoryAction] {
    get { actions.filter { $0 != .notify } }
    set { actions = newValue + (notifies ? [.notify] : []) }
  }
}

extension PropertyListCoding where Value == StoryRule {
  static var rule: Self {
    // A new story is unread and has no star: only a search may ask for these.
    .dictionary(StoryRule.table).accepting { $0.isSearch || !$0.isUnread && !$0.isStarred }
  }
}

extension PropertyListCoding where Value == StoryAction {
  fileprivate static var action: Self {
    PropertyListCoding<String>.string.map({ StoryAction($0) }, back: \.word)
  }
}
