import FeedModel
import FeedStorage

/// What the table view lists the stories of: all, a search, a tag, a feed.
struct BrowserSource: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case view
    case search
    case tag
    case feed
  }

  let kind: Kind
  let name: String
  /// The options of `news list` that leave its stories.
  let words: [String]
  let query: StoryQuery

  /// Whether `news clear` knows what they mean.
  var canBeCleared: Bool { words.isEmpty || kind == .tag || kind == .feed }
}

extension BrowserSource {
  /// All of them, in the order in which they are shown.
  static func all(of library: Library) -> [BrowserSource] {
    views + tags(of: library.subscriptions)
      + library.subscriptions.map { subscription in
        var query = StoryQuery()
        query.feeds = [subscription.url]
        let name = FeedName.printable(subscription)
        return BrowserSource(
          kind: .feed,
          name: name,
          words: ["--feed", subscription.url],
          query: query,
        )
      }
  }

  private static var views: [BrowserSource] {
    var (unread, starred) = (StoryQuery(), StoryQuery())
    (unread.isUnread, starred.isStarred) = (true, true)
    return [
      BrowserSource(kind: .view, name: "All stories", words: [], query: StoryQuery()),
      BrowserSource(kind: .view, name: "Unread", words: ["--unread"], query: unread),
      BrowserSource(kind: .view, name: "Starred", words: ["--starred"], query: starred),
    ]
  }

  /// Each tag once, however its letters are written; `news` has the feeds of `news/world`, too.
  private static func tags(of subscriptions: [Subscription]) -> [BrowserSource] {
    let selector = FeedSelector(subscriptions: subscriptions, currentFolder: nil)
    var names: [[UInt32]: String] = [:]
    for tag in subscriptions.flatMap(\.tags) where !tag.isEmpty {
      let key = TextFolding.fold(tag)
      names[key] = names[key] ?? tag
    }
    return names.values.sorted().compactMap { tag in
      // A tag that is in the list is found.
      guard let feeds = try? selector.subscriptions("tag:\(tag)") else { return nil }
      var query = StoryQuery()
      query.feeds = Set(feeds.map(\.url))
      let name = SafeText.line(tag)
      return BrowserSource(kind: .tag, name: name, words: ["--feed", "tag:\(tag)"], query: query)
    }
  }
}

/// How many unread stories each source has.
struct UnreadCounts: Hashable, Sendable {
  /// By the place of the source.
  private(set) var counts: [Int]

  /// Counts all in one pass, but for searches, of which each is one.
  init(_ sources: [BrowserSource], in items: ItemTable, now: Double) throws(StorageError) {
    counts = Array(repeating: 0, count: sources.count)
    var sourcesOfFeed: [String: [Int]] = [:]
    for (place, source) in sources.enumerated() {
      if source.kind == .feed || source.kind == .tag {
        for feed in source.query.feeds ?? [] { sourcesOfFeed[feed, default: []].append(place) }
      } else {
        var query = source.query
        query.isUnread = true
        counts[place] = try StoryScan(items, query, now: now, limit: .max).run().count
      }
    }
    try addFeeds(sourcesOfFeed, in: items)
  }

  private mutating func addFeeds(
    _ sourcesOfFeed: [String: [Int]],
    in items: ItemTable,
  ) throws(StorageError) {
    guard var reader = ItemReader(items) else { return }
    /// The story that a source has counted last: a tag has a story once, however many feeds carry it.
    var counted = Array(repeating: -1, count: counts.count)
    var places: [[Int]] = []
    var feeds: [Int] = []
    for index in 0..<items.count {
      try reader.move(to: index)
      guard try !reader.isRead() else { continue }
      feeds.removeAll(keepingCapacity: true)
      try reader.forEachFeed { feeds.append($0) }
      for url in reader.feeds[places.count...] { places.append(sourcesOfFeed[url] ?? []) }
      for place in feeds.lazy.flatMap({ places[$0] }) where counted[place] != index {
        counted[place] = index
        counts[place] += 1
      }
    }
  }
}
