import FeedModel
import FeedStorage
import Searching

/// What the table view lists the stories of: all, a search, a tag, a feed.
struct BrowserSource: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case view
    case search
    case tag
    case feed
  }

  /// Names the source whatever stands before it, and however its letters are written.
  enum ID: Hashable, Sendable {
    case words([String])
    /// The letters as `TextFolding` has them.
    case tag([UInt32])

    init(words: [String]) {
      self = .words(words)
      if words.count == 2, words[0] == "--feed", let tag = StoryTag(words[1]) {
        self = .tag(TextFolding.fold(tag.name))
      }
    }

    init(feed: String) {
      self = .words(["--feed", feed])
    }
  }

  let kind: Kind
  let name: String
  /// The options of `news list` that leave its stories.
  let words: [String]
  let query: StoryQuery
  let id: ID
  /// The tag under which a feed stands; nil for one without tags.
  var tag: ID?
  /// Those that a feed had before it moved.
  var formerIDs: [ID] = []
  /// Those of a feed.
  var settings = FeedSettings()
  /// Whether one comes to it only by choosing it.
  var isHidden: Bool { settings.isHidden }

  init(kind: Kind, name: String, words: [String], query: StoryQuery) {
    (self.kind, self.name, self.words, self.query) = (kind, name, words, query)
    id = ID(words: words)
  }

  /// Whether `news clear` knows what they mean.
  var canBeCleared: Bool { words.isEmpty || kind == .tag || kind == .feed }
}

extension BrowserSource {
  /// All of them: views, searches, tags, feeds.
  static func all(of subscriptions: [Subscription], _ rules: [StoryRule]) -> [BrowserSource] {
    let names = FeedName.distinct(subscriptions)
    let tags = tags(of: subscriptions, rules)
    return views + searches(rules, subscriptions) + tags
      + subscriptions.map { subscription in
        let name = names[subscription.url] ?? FeedName.printable(subscription)
        return feed(subscription, name, among: tags.map(\.id))
      }
  }

  /// Stands under the first of its tags.
  private static func feed(
    _ subscription: Subscription,
    _ name: String,
    among tags: [ID],
  ) -> BrowserSource {
    var query = StoryQuery()
    query.feeds = [subscription.url]
    let words = ["--feed", subscription.url]
    let own = Set(subscription.tags.map { ID.tag(TextFolding.fold($0)) })
    var source = BrowserSource(kind: .feed, name: name, words: words, query: query)
    source.tag = tags.first(where: own.contains)
    source.formerIDs = subscription.state.formerURLs.map { ID(feed: $0) }
    source.settings = subscription.settings
    return source
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

  /// Searches that can be made; what is wrong with others, `news doctor` says.
  private static func searches(
    _ rules: [StoryRule],
    _ subscriptions: [Subscription],
  ) -> [BrowserSource] {
    rules.filter(\.isSearch).compactMap { rule in
      guard let query = try? StoryQuery(rule, subscriptions) else { return nil }
      let words = ["--feed", "search:\(rule.name)"]
      return BrowserSource(
        kind: .search,
        name: SafeText.line(rule.name),
        words: words,
        query: query,
      )
    }
  }

  /// Each tag that feeds have or rules give once, however its letters are written; `news` has
  /// `news/world`, too.
  private static func tags(
    of subscriptions: [Subscription],
    _ rules: [StoryRule],
  ) -> [BrowserSource] {
    let given = rules.flatMap(\.actions).compactMap { action in
      if case .tag(let name) = action { name } else { nil }
    }
    var names: [[UInt32]: String] = [:]
    for tag in subscriptions.flatMap(\.tags) + given where !tag.isEmpty {
      let key = TextFolding.fold(tag)
      names[key] = names[key] ?? tag
    }
    let selector = FeedSelector(subscriptions: subscriptions, currentFolder: nil)
    return names.values.sorted().compactMap { name in
      let word = "tag:\(name)"
      guard let tag = StoryTag(word) else { return nil }
      var query = StoryQuery()
      query.feeds = Set(selector.tagged(tag).map(\.url))
      query.tags = [tag]
      let words = ["--feed", word]
      return BrowserSource(kind: .tag, name: SafeText.line(name), words: words, query: query)
    }
  }
}

/// How many unread stories each source has.
struct UnreadCounts: Sendable {
  private(set) var counts: [BrowserSource.ID: Int] = [:]
  /// By the place of the story.
  private(set) var isUnread: [Bool]
  let items: ItemTable

  /// Counts those of feeds and tags in one pass, of all others each in its own.
  init(
    _ sources: [BrowserSource],
    in library: Library,
    _ context: CommandContext,
  ) throws(CommandError) {
    items = library.items
    var counts = Array(repeating: 0, count: sources.count)
    isUnread = Array(repeating: false, count: items.count)
    var sourceNumbers = SourceIndex()
    // All stories and the unread ones have the same number of these.
    var known: [StoryQuery: Int] = [:]
    for (number, source) in sources.enumerated() {
      if source.kind == .feed || source.kind == .tag {
        sourceNumbers.add(source.query, at: number)
      } else {
        var query = source.query
        query.isUnread = true
        if known[query] == nil {
          // What is wrong with a search, `news doctor` says.
          known[query] = try? context.positions(of: query, in: library).count
        }
        counts[number] = known[query] ?? 0
      }
    }
    try commandErrors { try count(sourceNumbers, &counts) }
    self.counts = Dictionary(zip(sources.map(\.id), counts)) { $1 }
  }

  /// The numbers of the sources that have a story.
  private struct SourceIndex {
    private var byFeed: [String: [Int]] = [:]
    private var byTag: [(tag: StoryTag, number: Int)] = []

    mutating func add(_ query: StoryQuery, at number: Int) {
      for feed in query.feeds ?? [] { byFeed[feed, default: []].append(number) }
      for tag in query.tags { byTag.append((tag, number)) }
    }

    func ofFeed(_ url: String) -> [Int] { byFeed[url] ?? [] }

    func ofTags(_ tags: [String]) -> [Int] {
      tags.isEmpty ? [] : byTag.filter { $0.tag.isAmong(tags) }.map(\.number)
    }
  }

  private mutating func count(
    _ sourceNumbers: SourceIndex,
    _ counts: inout [Int],
  ) throws(StorageError) {
    guard var reader = ItemReader(items) else { return }
    /// The story that a source has counted last: it has a story once, however many feeds carry it.
    var counted = Array(repeating: -1, count: counts.count)
    var sourcesOfFeeds: [[Int]] = []
    var feeds: [Int] = []
    for index in 0..<items.count {
      try reader.move(to: index)
      guard try !reader.isRead() else { continue }
      isUnread[index] = true
      feeds.removeAll(keepingCapacity: true)
      try reader.forEachFeed { feeds.append($0) }
      for url in reader.feeds[sourcesOfFeeds.count...] {
        sourcesOfFeeds.append(sourceNumbers.ofFeed(url))
      }
      let tagged = sourceNumbers.ofTags(try reader.strings(.tags))
      for number in feeds.flatMap({ sourcesOfFeeds[$0] }) + tagged where counted[number] != index {
        counted[number] = index
        counts[number] += 1
      }
    }
  }
}
