internal import FeedModel
internal import System

extension HistoryStep {
  /// Finds the facts of a change to a library with these rules and outlines; nil if it changes
  /// nothing.
  init?(
    _ change: LibraryChange,
    by origin: ChangeOrigin,
    in library: Library,
    rules: [StoryRule],
    outlines: OutlineDocument?,
  ) throws {
    self.init(origin: origin)
    if !change.stories.deleted.isEmpty { self.origin.isForGood = true }
    var stories = ChangedStories(movingFeeds: change.feeds.moves, in: library)
    try stories.find(change.stories, library.items)
    marked = stories.marked
    (added, feedsOfAdded, returned) = (stories.added, stories.feedsOfAdded, stories.returned)
    (left, joined) = (stories.left.all, stories.joined.all)
    try note(cleared: change.stories.removed, in: library)
    if let feeds = change.feeds.subscriptions {
      self.feeds = Subscription.facts(
        from: library.subscriptions,
        to: feeds,
        moves: change.feeds.moves,
      )
      note(keptAway: zip(library.subscriptions, feeds).filter { $0.url == $1.url })
    }
    if let new = change.rules { self.rules = ListFact.facts(from: rules, to: new) { $0 == $1 } }
    if let new = change.feeds.lists {
      lists = ListFact.facts(from: library.feeds.lists, to: new) { _, _ in true }
    }
    if change.outlines != nil { self.outlines = outlines }
    if isEmpty { return nil }
    isOfStories = !change.stories.isEmpty
  }

  private mutating func note(keptAway feeds: [(old: Subscription, new: Subscription)]) {
    for (old, new) in feeds where !old.isForgotten(in: new) && !new.isForgotten(in: old) {
      let more = new.state.cleared.count - old.state.cleared.count
      if more > 0 { keptAway[old.url] = more }
    }
  }

  private mutating func note(cleared positions: Set<Int>, in library: Library) throws {
    clearing = [Range<Int>](positions)
    let followed = Set(library.subscriptions.map(\.url))
    for range in clearing {
      runs.append(ClearedRun(count: range.count, after: try library.items.anchor(of: range)))
      try library.items.forEachStory(at: range) { _, story in
        orphanedFeeds.formUnion(try story.feedURLs().filter { !followed.contains($0) })
      }
    }
  }
}

extension ItemTable {
  /// Returns the id of the story before a run, which only stories of equal times need to find their
  /// place again.
  fileprivate func anchor(of range: Range<Int>) throws -> String? {
    guard range.lowerBound > 0 else { return nil }
    let previous = try story(at: range.lowerBound - 1)
    let (one, other) = (try previous.instants(), try story(at: range.lowerBound).instants())
    guard one.date == other.date || one.stored == other.stored else { return nil }
    return try previous.id()
  }
}

private struct ChangedStories {
  private(set) var added = ItemIDs()
  private(set) var feedsOfAdded: Set<String> = []
  private(set) var returned = ItemIDs()
  private(set) var left = StoriesByFeed()
  private(set) var joined = StoriesByFeed()
  private var facts: [StoryFact: ItemIDs] = [:]
  /// Moves of feeds with their stories, which are a fact of the feed.
  private var moves: [String: String] = [:]

  init(movingFeeds moves: [(from: String, to: String)], in library: Library) {
    let followed = Set(library.subscriptions.map(\.url))
    for move in moves where !followed.contains(move.to) { self.moves[move.from] = move.to }
  }

  var marked: [MarkedStories] {
    facts.sorted { $0.key < $1.key }.map { MarkedStories(fact: $0, ids: $1) }
  }

  mutating func find(_ change: StoryChanges, _ table: ItemTable) throws {
    try change.forEachAdjustment(of: table) { range, new in
      try note(range, new, in: table)
    }
    if let new = change.made?.all?() { (added, feedsOfAdded) = (new.ids, new.feeds) }
    guard let returning = change.returning else { return }
    let all = returning.isWhole ? Array(0..<returning.table.count) : change.returned
    returned = try returning.table.ids(at: all)
    for case (_, .returnedReplaced(_, let story)) in change.placed { returned.insert(story.id) }
  }

  /// Notes changed marks.
  ///
  /// PERF: many stories may get one mark, so nothing else of them is read.
  private mutating func note(_ range: Range<Int>, _ marks: ItemMarks, in table: ItemTable) throws {
    for flag in StoryFlag.allCases {
      guard let isSet = marks[flag] else { continue }
      var ids = facts.removeValue(forKey: .flag(flag, isSet)) ?? ItemIDs()
      try table.forEachStory(at: range) { _, story in
        if try story.has(flag) != isSet { try ids.insert(idOf: story) }
      }
      if !ids.isEmpty { facts[.flag(flag, isSet)] = ids }
    }
  }

  private mutating func note(
    _ range: Range<Int>,
    _ new: ItemAdjustment,
    in table: ItemTable,
  ) throws {
    try note(range, new.marks, in: table)
    guard !new.isOfMarksAlone else { return }
    try table.forEachStory(at: range) { try note(&$1, new) }
  }

  private mutating func note(_ story: inout ItemReader, _ new: ItemAdjustment) throws {
    let id = try story.id()
    if !new.texts.isEmpty {
      let old = try story.typedTexts()
      for (mark, text) in new.texts where old[mark] ?? "" != text {
        facts[.text(mark, old: old[mark] ?? "", new: text), default: ItemIDs()].insert(id)
      }
    }
    if let article = new.article, try story.article() != article {
      facts[.article(try story.article()), default: ItemIDs()].insert(id)
    }
    if let tags = new.tags {
      let old = try story.strings(.tags)
      for tag in tags where !old.contains(tag) {
        facts[.tagged(tag), default: ItemIDs()].insert(id)
      }
      for tag in Set(old) where !tags.contains(tag) {
        facts[.untagged(tag), default: ItemIDs()].insert(id)
      }
    }
    guard let feeds = new.feeds else { return }
    let old = try story.feedURLs()
    for feed in Set(old) where !feeds.contains(feed) {
      if let new = moves[feed], feeds.contains(new) { continue }
      left.insert(id, of: feed, isOwned: old.first == feed)
    }
    for feed in Set(feeds) where !old.contains(feed) {
      if old.contains(where: { moves[$0] == feed }) { continue }
      joined.insert(id, of: feed, isOwned: feeds.first == feed)
    }
  }
}

private struct StoriesByFeed {
  private var feeds: [String: FeedStories] = [:]

  mutating func insert(_ id: String, of feed: String, isOwned: Bool) {
    feeds[feed, default: FeedStories(feed: feed)].ids.insert(id)
    if isOwned { feeds[feed]?.owned.insert(id) }
  }

  /// The stories in the order of the feeds' URLs, so that what is saved does not depend on chance.
  var all: [FeedStories] { feeds.values.sorted { $0.feed < $1.feed } }
}

extension [Range<Int>] {
  init(_ positions: Set<Int>) {
    self = []
    for position in positions.sorted() {
      if let run = last, run.upperBound == position {
        self[count - 1] = run.lowerBound..<position + 1
      } else {
        append(position..<position + 1)
      }
    }
  }
}

extension StoryFact: Comparable {
  private var rank: (Int, String) {
    switch self {
    case .article(let article): (0, "\(article.number)")
    case .flag(let flag, let isSet): (1, "\(flag.rawValue) \(isSet ? 0 : 1)")
    case .tagged(let name): (2, name)
    case .untagged(let name): (3, name)
    case .text(_, let old, let new): (4, old + " " + new)
    }
  }

  package static func < (one: StoryFact, other: StoryFact) -> Bool { one.rank < other.rank }
}
