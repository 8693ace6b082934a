internal import FeedModel
internal import PropertyLists
internal import System

/// The contents of the file of subscriptions; a subscription is decoded when it is asked for.
struct SubscriptionsContents {
  let root: PropertyListDictionary
  let feeds: [Int]
  fileprivate let path: String
  fileprivate let reader: BinaryPropertyListReader?

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

  var budget: Int { reader?.expansionBudget ?? 0 }

  func subscriptions() throws -> [Subscription] {
    guard let reader else { return [] }
    return try StorageError.translating(path) {
      try SubscriptionReader(reader, Subscription.fields, FeedState.table).read(feeds)
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

/// The entries of subscriptions, and of their states, whose keys this version does not know.
///
/// PERF: dictionaries of one file share their keys, so that each key is decoded once; and nearly all
/// have no such entry.
struct UnknownEntries {
  private let contents: SubscriptionsContents
  private var budget: Int
  private var feed = KnownKeys(Subscription.fields.names)
  private var states = KnownKeys(FeedState.table.names)

  init(_ contents: SubscriptionsContents) {
    (self.contents, budget) = (contents, contents.budget)
  }

  mutating func of(_ object: Int) throws -> PropertyListDictionary {
    guard let reader = contents.reader else { return [:] }
    return try StorageError.translating(contents.path) {
      var entries: PropertyListDictionary = [:]
      for (key, value) in try feed.others(of: object, in: reader, &budget) {
        guard key == Subscription.stateKey else {
          entries.append(key, try reader.value(value, budget: &budget))
          continue
        }
        var inside: PropertyListDictionary = [:]
        for (key, value) in try states.others(of: value, in: reader, &budget) {
          inside.append(key, try reader.value(value, budget: &budget))
        }
        if !inside.entries.isEmpty { entries.append(key, .dictionary(inside)) }
      }
      return entries
    }
  }
}

private struct KnownKeys {
  private let names: Set<String>
  /// The objects that are names of other keys, and nil for those of known ones.
  private var others: [Int: String?] = [:]

  init(_ names: [String]) { self.names = Set(names) }

  /// Returns the entries of a dictionary with other keys; none for another object.
  ///
  /// Each entry is counted: many subscriptions may share a dictionary of many keys.
  mutating func others(
    of object: Int,
    in reader: BinaryPropertyListReader,
    _ budget: inout Int,
  ) throws -> [(key: String, value: Int)] {
    var found: [(key: String, value: Int)] = []
    _ = try reader.forEachEntry(object) { (key, value) in
      budget -= 1
      guard budget > 0 else { throw PropertyListError.tooLarge }
      if let other = try other(key, reader) { found.append((other, value)) }
    }
    return found
  }

  private mutating func other(_ key: Int, _ reader: BinaryPropertyListReader) throws -> String? {
    if let known = others[key] { return known }
    guard let name = try reader.string(key) else {
      throw PropertyListError.damaged("a key is not a string", offset: 0)
    }
    let other = names.contains(name) ? nil : name
    others.updateValue(other, forKey: key)
    return other
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
      let subscriptions = try SubscriptionReader(reader, Subscription.listed, FeedState.listed)
        .read(elements)
      guard let former = try reader.value(of: Self.formerNames, in: reader.root) else {
        return (subscriptions, [:])
      }
      return (subscriptions, Self.names.decode(try reader.value(former)) ?? [:])
    }
  }

  static let formerNames: StaticString = "formerNames"

  /// The URLs of the feeds with a setting by which new stories came read.
  func feedsThatArriveRead() throws -> [String] {
    let key = Subscription.arrivesReadKey
    // PERF: most files do not have the key, and to look through their feeds takes far longer.
    guard let reader = try reader(),
      ByteScan.first(key, in: reader.bytes.buffer, from: 0) != nil
    else { return [] }
    return try StorageError.translating(path) {
      guard let feeds = try reader.value(of: "feeds", in: reader.root)
      else { return [] }
      return try (reader.elements(feeds) ?? []).compactMap { feed in
        guard let value = try reader.value(of: key, in: feed),
          let url = try reader.value(of: "url", in: feed),
          try SyncValue(reader.value(value)) == .yes
        else { return nil }
        return try reader.string(url)
      }
    }
  }
}

private struct SubscriptionReader {
  private let (fields, states): (PropertyListTable<Subscription>, PropertyListTable<FeedState>)
  private var feed: EntryReader
  private var state: EntryReader
  private let stateKey: Int
  private var budget: Int

  init(
    _ reader: BinaryPropertyListReader,
    _ fields: PropertyListTable<Subscription>,
    _ states: PropertyListTable<FeedState>,
  ) {
    (self.fields, self.states) = (fields, states)
    feed = EntryReader(reader, keys: fields.names + [Subscription.stateKey])
    state = EntryReader(reader, keys: states.names)
    stateKey = fields.names.count
    budget = reader.expansionBudget
  }

  consuming func read(_ objects: [Int]) throws -> [Subscription] {
    var subscriptions: [Subscription] = []
    subscriptions.reserveCapacity(objects.count)
    // PERF: a subscription is large: a copy takes half as long as making one.
    let blank = Subscription(url: "")
    for object in objects where try feed.move(to: object) {
      subscriptions.append(blank)
      if try !fill(&subscriptions[subscriptions.count - 1]) { subscriptions.removeLast() }
    }
    return subscriptions
  }

  private mutating func fill(_ subscription: inout Subscription) throws -> Bool {
    guard try fields.read(feed, into: &subscription, budget: &budget) else { return false }
    if let object = feed.object(stateKey), try state.move(to: object) {
      _ = try states.read(state, into: &subscription.state, budget: &budget)
    }
    return true
  }
}

extension BinaryPropertyListReader {
  /// The object that a dictionary has for a key; of two the last one.
  func value(of key: StaticString, in object: Int) throws -> Int? {
    var found: Int?
    _ = try forEachEntry(object) { (name, value) in
      if try isString(name, key) { found = value }
    }
    return found
  }
}
