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

  func read() throws(StorageError) -> [StoryRule] {
    try rules(dictionaries())
  }

  private func rules(
    _ dictionaries: [PropertyListDictionary]
  ) throws(StorageError) -> [StoryRule] {
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
      guard let rule = StoryRule(name: name, dictionary) else {
        throw damaged("what the rule \(name) says is not understood")
      }
      rules.append(rule)
    }
    return rules
  }

  /// Replaces the file after `last`; the caller holds the lock.
  func save(
    _ rules: [StoryRule],
    after last: () throws(StorageError) -> Void,
  ) throws(StorageError) {
    guard rules.count <= Self.maximumRules else {
      throw .refused("there may be no more than \(Self.maximumRules) rules")
    }
    var old: [String: PropertyListDictionary] = [:]
    for dictionary in try dictionaries() { old[dictionary["name"]?.string ?? ""] = dictionary }
    let all = rules.map { $0.dictionary(over: old[$0.name]) }
    // What is undone comes from a file, too.
    _ = try self.rules(all)
    let bytes = PropertyList.encode(.array(all.map { .dictionary($0) }))
    guard bytes.count <= Self.maximumSize else {
      throw .tooLarge(path: path, limit: Self.maximumSize)
    }
    try AtomicFile(path: path).replace(after: last) { sink throws(StorageError) in
      try AtomicFile.pass(bytes, to: sink)
    }
  }

  private func dictionaries() throws(StorageError) -> [PropertyListDictionary] {
    guard let (reader, _) = try LibraryStore.reader(path, atMost: Self.maximumSize) else {
      return []
    }
    let value = try ItemTable.reading(path) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    guard let elements = value.array else { throw damaged("the top-level object is not an array") }
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
  var rulesFile: RulesFile { RulesFile(path: path("rules.plist")) }

  /// The rules and saved searches, in the user's order.
  package func rules() throws(StorageError) -> [StoryRule] { try rulesFile.read() }
}

extension StoryRule {
  /// As a record of what is undone has it.
  init?(_ dictionary: PropertyListDictionary) {
    guard let name = dictionary["name"]?.string else { return nil }
    self.init(name: name, dictionary)
  }

  /// nil where a value is of another type than it should be.
  init?(name: String, _ dictionary: PropertyListDictionary) {
    self.init(name: name)
    guard let feeds = Self.strings(dictionary["feeds"]),
      let grep = Self.strings(dictionary["grep"]),
      let words = Self.strings(dictionary["then"]),
      let looksInTexts = Self.flag(dictionary["text"]),
      let isUnread = Self.flag(dictionary["unread"]),
      let isStarred = Self.flag(dictionary["starred"])
    else { return nil }
    (self.feeds, self.grep, self.looksInTexts) = (feeds, grep, looksInTexts)
    (self.isUnread, self.isStarred) = (isUnread, isStarred)
    actions = words.compactMap(StoryAction.init)
    // What comes is unread, and has no star.
    guard actions.count == words.count, isSearch || !isUnread && !isStarred else { return nil }
  }

  private static func strings(_ value: PropertyListValue?) -> [String]? {
    guard let value else { return [] }
    guard let strings = value.asStrings, strings.count == value.array?.count else { return nil }
    return strings
  }

  private static func flag(_ value: PropertyListValue?) -> Bool? {
    value == nil ? false : value?.boolean
  }

  func dictionary(over old: PropertyListDictionary? = nil) -> PropertyListDictionary {
    var dictionary = old ?? PropertyListDictionary()
    dictionary["name"] = .string(name)
    dictionary["feeds"] = .strings(feeds)
    dictionary["grep"] = .strings(grep)
    dictionary["text"] = looksInTexts ? .boolean(true) : nil
    dictionary["unread"] = isUnread ? .boolean(true) : nil
    dictionary["starred"] = isStarred ? .boolean(true) : nil
    dictionary["then"] = .strings(actions.map(\.word))
    return dictionary
  }
}
