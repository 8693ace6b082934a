package import FeedModel
internal import System

/// The marks of the stored stories, and the keys by which other machines know each story.
///
/// The keys are a hash of each of its feeds with its present key, and its id. Two machines give a
/// story one id if the same feed brought it to both first, under the same key.
package struct SharedMarks {
  package private(set) var flags: [StoryFlags] = []
  package private(set) var tags: [Int: [String]] = [:]
  package private(set) var texts: [Int: [SyncKey.StoryMark: String]] = [:]
  package private(set) var numbers: [UInt64] = []
  /// Hashes of stories under the URL of saved pages.
  private var savedKeys: [Int: UInt64] = [:]
  private var ids: [UInt64?] = []
  private var keys: [UInt64] = []
  private var ends: [Int] = []
  /// Keys of several stories, which only identify the story whose id they are.
  private var shared: Set<UInt64> = []
  private let names: SharedNames

  package init(_ items: ItemTable, _ subscriptions: [Subscription]) throws {
    names = SharedNames(subscriptions)
    flags.reserveCapacity(items.count)
    keys.reserveCapacity(items.count)
    ends.reserveCapacity(items.count)
    var others: Set<UInt64> = []
    try items.forEachStory(at: 0..<items.count) { index, reader in
      flags.append(try reader.flags())
      let tags = try reader.strings(.tags)
      if !tags.isEmpty { self.tags[index] = tags }
      let texts = try reader.typedTexts()
      if !texts.isEmpty { self.texts[index] = texts }
      let (id, all, saved) = try names.idAndKeys(of: &reader)
      if let saved { savedKeys[index] = saved }
      for key in all where key != id && !others.insert(key).inserted { shared.insert(key) }
      numbers.append(try reader.number())
      ids.append(id)
      keys += all
      ends.append(keys.count)
    }
    shared.formUnion(others.intersection(ids.lazy.compactMap(\.self)))
  }

  /// The keys of one story, whatever the others are.
  package static func keys(of story: StoredItem, _ subscriptions: [Subscription]) -> [UInt64] {
    let names = SharedNames(subscriptions.filter { story.feeds.contains($0.url) })
    let id = ItemID.number(of: story.id.utf8)
    return names.keys(ItemID.key(of: story.item), id, story.feeds).all
  }

  package var count: Int { flags.count }

  package func has(_ mark: SyncKey.StoryMark, at index: Int) -> Bool {
    switch mark {
    case .flag(let flag): flags[index][flag]
    case .tag(let name): tags[index]?.contains { $0.lowercased() == name } ?? false
    default: texts[index]?[mark] != nil
    }
  }

  package func set(at index: Int) -> [(mark: SyncKey.StoryMark, value: SyncValue)] {
    SyncKey.StoryMark.flags.filter { has($0, at: index) }.map { ($0, .yes) }
      + (tags[index] ?? []).map(SyncKey.StoryMark.tagged)
      + (texts[index] ?? [:]).map { ($0, .text($1)) }
  }

  package var indices: [UInt64: Int] {
    Dictionary(zip(numbers, numbers.indices), uniquingKeysWith: { first, _ in first })
  }

  package func keys(of index: Int) -> [UInt64] {
    let range = (index == 0 ? 0 : ends[index - 1])..<ends[index]
    return keys[range].filter { $0 == ids[index] || !shared.contains($0) }
  }

  /// The key of a saved page as such; nil for another story.
  package func savedKey(of index: Int) -> UInt64? { savedKeys[index] }

  package var known: Set<UInt64> { Set(keys) }
}

struct SharedNames {
  private var former: [String: [String]] = [:]
  private var accounts: Set<String> = []

  init(_ subscriptions: [Subscription]) {
    for feed in subscriptions {
      let others = feed.state.formerURLs + [feed.listedURL].compactMap(\.self)
      former[feed.url] = others.map(WebURL.withoutAccount)
      if others.contains(where: Self.hasAccount) { accounts.insert(feed.url) }
    }
  }

  func hasAccount(_ feed: String) -> Bool { accounts.contains(feed) || Self.hasAccount(feed) }

  func all(of feed: String) -> [String] {
    [WebURL.withoutAccount(feed)] + (former[feed] ?? [])
  }

  func keys(of story: inout ItemReader) throws -> [UInt64] {
    try idAndKeys(of: &story).all
  }

  func idAndKeys(
    of story: inout ItemReader
  ) throws -> (id: UInt64?, all: [UInt64], saved: UInt64?) {
    keys(ItemID.key(of: try story.identity()), try story.idNumber(), try story.feedURLs())
  }

  func keys(
    _ key: ItemKey,
    _ ownID: UInt64?,
    _ feeds: [String],
  ) -> (id: UInt64?, all: [UInt64], saved: UInt64?) {
    var all: [UInt64] = []
    var (id, saved) = (ownID, nil as UInt64?)
    for feed in feeds {
      // A hash of a URL with a password could be used to guess the password.
      if hasAccount(feed) { id = nil }
      for url in self.all(of: feed) {
        let hash = ItemID.number(feed: url, key: key)
        if !all.contains(hash) { all.append(hash) }
        if url == Subscription.savedURL { saved = hash }
      }
    }
    if let id, !all.contains(id) { all.append(id) }
    return (id, all, saved)
  }

  private static func hasAccount(_ url: String) -> Bool { WebURL.withoutAccount(url) != url }
}

extension ItemReader {
  /// The texts that the user has typed; other programs may write invalid ones.
  package func typedTexts() throws -> [SyncKey.StoryMark: String] {
    var texts: [SyncKey.StoryMark: String] = [:]
    for mark in SyncKey.StoryMark.texts {
      guard let text = try typedText(mark), SyncKey.story(0, mark).accepts(.text(text)) else {
        continue
      }
      texts[mark] = text
    }
    return texts
  }

  package func typedText(_ mark: SyncKey.StoryMark) throws -> String? {
    guard let field = mark.textField else { return nil }
    return try string(field)
  }

  /// The number of the story's id, or of a hash for ids of other programs.
  package func number() throws -> UInt64 {
    if let number = try idNumber() { return number }
    return ItemID.number(ofAny: try id())
  }
}

extension ItemTable {
  package func numbers() throws -> Set<UInt64> {
    var numbers = Set<UInt64>(minimumCapacity: count)
    try forEachStory(at: 0..<count) { numbers.insert(try $1.number()) }
    return numbers
  }

  /// The times of storing as `SyncStamp` has them; 0 if unknown.
  package func storedTimes() throws -> [UInt64] {
    var times: [UInt64] = []
    times.reserveCapacity(count)
    try forEachStory(at: 0..<count) { _, story in
      times.append(try story.date(.stored).map { SyncStamp.time(of: $0) } ?? 0)
    }
    return times
  }
}
