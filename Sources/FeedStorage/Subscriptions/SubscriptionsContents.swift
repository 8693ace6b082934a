internal import FeedModel
internal import PropertyLists

/// The contents of the file of subscriptions; a subscription is decoded when it is asked for.
struct SubscriptionsContents {
  let root: PropertyListDictionary
  let feeds: [Int]
  private let path: String
  private let reader: BinaryPropertyListReader?

  init(_ reader: BinaryPropertyListReader?, path: String) throws {
    self.path = path
    self.reader = reader
    guard let reader else {
      (root, feeds) = (PropertyListDictionary(), [])
      return
    }
    let parts = try StorageError.translating(path) {
      try Self.parts(of: reader)
    }
    guard let parts else {
      throw StorageError.damaged(path: path, reason: "the top-level object is not a dictionary")
    }
    (root, feeds) = parts
  }

  var isNew: Bool { reader == nil }

  var budget: Int { reader?.expansionBudget ?? 0 }

  func feed(_ object: Int, budget: inout Int) throws -> PropertyListDictionary? {
    guard let reader else { return nil }
    var rest = budget
    defer { budget = rest }
    return try StorageError.translating(path) {
      try reader.value(object, budget: &rest).dictionary
    }
  }

  /// The last subscription of each URL; one that has moved also by its listed URL.
  func feedsByURL() throws -> [String: Int] {
    guard let reader else { return [:] }
    return try StorageError.translating(path) {
      var objects: [String: Int] = [:]
      var listed: [String: Int] = [:]
      for feed in feeds {
        _ = try reader.forEachEntry(feed) { (key, value) in
          if try reader.isString(key, "url") {
            if let url = try reader.string(value) { objects[url] = feed }
          } else if try reader.isString(key, "listedURL"), let url = try reader.string(value) {
            listed[url] = feed
          }
        }
      }
      return objects.merging(listed) { url, _ in url }
    }
  }

  private static func parts(
    of reader: BinaryPropertyListReader
  ) throws -> (PropertyListDictionary, [Int])? {
    var root = PropertyListDictionary()
    var feeds: [Int] = []
    var budget = reader.expansionBudget
    let isDictionary = try reader.forEachEntry(reader.root) { (key, value) in
      guard let name = try reader.string(key) else {
        throw PropertyListError.damaged("a key is not a string", offset: 0)
      }
      if name == "feeds" {
        feeds = try reader.elements(value) ?? []
      } else {
        root.append(name, try reader.value(value, budget: &budget))
      }
    }
    return isDictionary ? (root, feeds) : nil
  }
}

extension SubscriptionsFile {
  /// Reads the subscriptions with their URLs, titles, languages, tags, settings and former URLs
  /// alone, as lists of stories need them.
  func names() throws -> (subscriptions: [Subscription], former: [String: String]) {
    guard let reader = try reader() else { return ([], [:]) }
    return try StorageError.translating(path) {
      guard let feeds = try reader.value(of: "feeds", in: reader.root),
        let elements = try reader.elements(feeds)
      else { return ([], [:]) }
      var subscriptions: [Subscription] = []
      subscriptions.reserveCapacity(elements.count)
      var names = NameReader(reader)
      for feed in elements { try names.add(feed, to: &subscriptions) }
      guard let former = try reader.value(of: Self.formerNames, in: reader.root) else {
        return (subscriptions, [:])
      }
      return (subscriptions, Self.names.decode(try reader.value(former)) ?? [:])
    }
  }

  static let formerNames: StaticString = "formerNames"
}

/// Reads what lists of stories need of subscriptions.
private struct NameReader {
  private static let settings = FeedSetting.allCases
  /// The numbers of the keys, those of the settings from `settings` on.
  private enum Key { static let (url, title, tags, state, settings) = (0, 1, 2, 3, 4) }
  private enum StateKey { static let (title, language, formerURLs) = (0, 1, 2) }
  private var feed: EntryReader
  private var state: EntryReader

  init(_ reader: BinaryPropertyListReader) {
    let settings = Self.settings.map(\.rawValue)
    feed = EntryReader(reader, keys: ["url", "title", "tags", "state"] + settings)
    state = EntryReader(reader, keys: ["title", "language", "formerURLs"])
  }

  /// Adds a subscription, if it has a URL.
  ///
  /// PERF: it is filled where it stays: one is large, and returning it would copy it twice.
  mutating func add(_ object: Int, to subscriptions: inout [Subscription]) throws {
    try feed.move(to: object)
    guard let url = try feed.string(Key.url), !url.isEmpty else { return }
    subscriptions.append(Subscription(url: url, title: try feed.string(Key.title)))
    try fill(&subscriptions[subscriptions.count - 1])
  }

  private mutating func fill(_ subscription: inout Subscription) throws {
    subscription.tags = try feed.strings(Key.tags)
    if let object = feed.object(Key.state) {
      try state.move(to: object)
      subscription.state.title = try state.string(StateKey.title)
      subscription.state.language = try state.string(StateKey.language)
      subscription.state.formerURLs = try state.strings(StateKey.formerURLs)
    }
    for (number, setting) in Self.settings.enumerated() {
      guard let value = feed.object(Key.settings + number),
        let new = SyncValue(try feed.reader.value(value))
      else { continue }
      subscription.settings[setting] = new
    }
  }
}

extension BinaryPropertyListReader {
  /// The object that a dictionary has for a key; of two the last one.
  func value(of key: StaticString, in object: Int) throws -> Int? {
    try value(in: object) { (name) in try isString(name, key) }
  }

  func value(of key: String, in object: Int) throws -> Int? {
    try value(in: object) { (name) in try string(name) == key }
  }

  private func value(in object: Int, where isKey: (Int) throws -> Bool) throws -> Int? {
    var found: Int?
    _ = try forEachEntry(object) { (name, value) in
      if try isKey(name) { found = value }
    }
    return found
  }

  func strings(_ object: Int) throws -> [String] {
    var strings: [String] = []
    for element in try elements(object) ?? [] {
      if let text = try string(element) { strings.append(text) }
    }
    return strings
  }
}
