import CommandSupport
import FeedModel
import FeedStorage
import Searching

struct BrowserSource: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case view
    case search
    case tag
    case feed
  }

  /// Identifies a source in every version of the store, a tag however its letters are written.
  enum ID: Hashable, Sendable {
    case words([String])
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
  /// The options of `news list` that list its stories.
  let words: [String]
  let query: StoryQuery
  let id: ID
  /// The first of a feed's tags, under which it stands.
  var tag: ID?
  var formerIDs: [ID] = []
  var settings = FeedSettings()
  /// True for a feed that `n` skips in its search for unread stories.
  var isHidden: Bool { settings.isHidden }

  init(kind: Kind, name: String, words: [String], query: StoryQuery) {
    (self.kind, self.name, self.words, self.query) = (kind, name, words, query)
    id = ID(words: words)
  }

  /// True if `news clear` takes it: all stories, a tag or a feed.
  var canBeCleared: Bool { words.isEmpty || kind == .tag || kind == .feed }
}

extension BrowserSource {
  static func all(of subscriptions: [Subscription], _ rules: [StoryRule]) -> [BrowserSource] {
    let names = FeedName.distinct(subscriptions)
    let tags = tags(of: subscriptions, rules)
    return views + searches(rules, subscriptions) + tags
      + subscriptions.map { subscription in
        let name = names[subscription.url] ?? FeedName.printable(subscription)
        return feed(subscription, name, among: tags.map(\.id))
      }
  }

  private static func feed(
    _ subscription: Subscription,
    _ name: String,
    among tags: [ID],
  ) -> BrowserSource {
    var query = StoryQuery()
    query.feeds = [subscription.url]
    query = query.inOrder(of: [subscription])
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

  /// Leaves out searches with faults, which `news doctor` reports.
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

  /// Returns each tag of feeds and rules once, however its letters are written.
  ///
  /// The stories of `news` include those of `news/world`.
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
    return names.values.sorted().compactMap { name in
      let word = "tag:\(name)"
      guard let tag = StoryTag(word) else { return nil }
      var query = StoryQuery()
      query.feeds = Set(subscriptions.filter { tag.isAmong($0.tags) }.map(\.url))
      query.tags = [tag]
      let words = ["--feed", word]
      return BrowserSource(kind: .tag, name: SafeText.line(name), words: words, query: query)
    }
  }
}

struct UnreadCounts: Sendable {
  private(set) var counts: [BrowserSource.ID: Int] = [:]
  private(set) var isUnread: [Bool]
  /// The feeds whose last fetch failed.
  let failing: Set<BrowserSource.ID>
  let items: ItemTable

  /// Counts feeds and tags in one pass, each other source in a pass of its own.
  init(_ sources: [BrowserSource], in library: Library, _ context: CommandContext) throws {
    items = library.items
    // The lists of stories read no more of feeds than their names.
    let subscriptions = (try? context.store().read().subscriptions) ?? []
    let failed = subscriptions.filter(\.state.isFailing)
    failing = Set(failed.map { BrowserSource.ID(feed: $0.url) })
    var counts = Array(repeating: 0, count: sources.count)
    isUnread = Array(repeating: false, count: items.count)
    var sourceNumbers = SourceIndex()
    // The views of all and of unread stories come to one query here.
    var known: [StoryQuery: Int] = [:]
    for (number, source) in sources.enumerated() {
      if source.kind == .feed || source.kind == .tag {
        sourceNumbers.add(source.query, at: number)
      } else {
        var query = source.query
        query.isUnread = true
        if known[query] == nil {
          // `news doctor` reports the faults of a search.
          known[query] = try? context.positions(of: query, in: library).count
        }
        counts[number] = known[query] ?? 0
      }
    }
    try count(sourceNumbers, &counts)
    self.counts = Dictionary(zip(sources.map(\.id), counts)) { $1 }
  }

  private struct SourceIndex {
    private(set) var byFeed: [String: [Int]] = [:]
    private var byTag: [(tag: StoryTag, number: Int)] = []

    mutating func add(_ query: StoryQuery, at number: Int) {
      for feed in query.feeds ?? [] { byFeed[feed, default: []].append(number) }
      for tag in query.tags { byTag.append((tag, number)) }
    }

    func ofTags(_ tags: [String]) -> [Int] {
      tags.isEmpty ? [] : byTag.filter { $0.tag.isAmong(tags) }.map(\.number)
    }
  }

  private mutating func count(_ sourceNumbers: SourceIndex, _ counts: inout [Int]) throws {
    guard var reader = ItemReader(items) else { return }
    // A source counts a story once, however many of its feeds carry it.
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
        sourcesOfFeeds.append(sourceNumbers.byFeed[url] ?? [])
      }
      let tagged = sourceNumbers.ofTags(try reader.strings(.tags))
      for number in feeds.flatMap({ sourcesOfFeeds[$0] }) + tagged where counted[number] != index {
        counted[number] = index
        counts[number] += 1
      }
    }
  }
}
