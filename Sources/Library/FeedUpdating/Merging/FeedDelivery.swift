internal import FeedLibrary
package import FeedModel
package import FeedStorage
import System

/// The stories that one feed delivered, with their identities.
///
/// Everything here follows from the document alone, so that parsing threads can make it. The
/// stories may be in a file; a few numbers of each are in memory.
package struct FeedDelivery: Sendable {
  package let feed: String
  /// The stories in document order; of several equal ones only the first.
  let stories: SpooledStories
  private let articles: SpooledStories?
  private(set) var isForced = false
  /// True for the older stories of a feed: they are stored as read, which no machine is told of.
  var comesRead = false
  /// True if the document was whole; a story missing in a part has not vanished.
  package let isComplete: Bool
  var evicted: [UInt64] = []
  var cleared: [UInt64] = []
  /// The number of stories kept that the feed no longer carries; 0 keeps all.
  package var keep = Retention.usual
  /// Stories stored after this time have come otherwise, and meet their feed for the first time.
  private var met = Date.distantFuture
  /// Stories stored after this time may come from the target of redirects; nil without redirects.
  var oldBefore: Date?
  private(set) var ids: [UInt64]
  /// Hashes of what identifies the stories in other feeds too (`ItemID.canonicalURL`); 0 for none.
  ///
  /// They have 64 bits that nobody outside this process can foresee: two stories of a million share
  /// one once in forty million runs.
  private let storyKeys: [Int]
  /// Dates in seconds since 2001; not a number for none.
  private let dates: [Double]
  private var keys: [Int: ItemKey] = [:]
  /// The stories' marks and ids elsewhere; empty for a feed's own document.
  let imported: [ImportedStory]

  package init(
    feed: String,
    items: [Item],
    texts: [StoryText?] = [],
    articles: [StoryText?] = [],
    imported: [ImportedStory] = [],
    isComplete: Bool = true,
    cleared: [UInt64] = [],
    spool: StorySpool = StorySpool(folder: nil),
  ) {
    // Empty stories go before keys are made: the key of a story with only a date is as long as
    // that.
    var (items, texts, articles, imported) = (items, texts, articles, imported)
    func keep(_ stories: [Int]) {
      items = stories.map { items[$0] }
      if !texts.isEmpty { texts = stories.map { texts[$0] } }
      if !articles.isEmpty { articles = stories.map { articles[$0] } }
      if !imported.isEmpty { imported = stories.map { imported[$0] } }
    }
    if items.contains(where: \.isEmpty) { keep(items.indices.filter { !items[$0].isEmpty }) }
    var (keys, areDistinct) = ItemID.distinctKeys(of: items)
    if !areDistinct {
      var first: [ItemKey: Int] = [:]
      let kept = items.indices.filter { story in
        // Stories that another home told apart stay apart.
        if !imported.isEmpty, imported[story].id != nil { return true }
        guard let index = first[keys[story]] else {
          first[keys[story]] = story
          return true
        }
        if !imported.isEmpty { imported[index].original.takeMarks(of: imported[story].original) }
        return false
      }
      keys = kept.map { keys[$0] }
      keep(kept)
    }
    Self.shortenSummaries(of: &items, with: texts, keys)
    self.feed = feed
    self.isComplete = isComplete
    self.cleared = cleared
    stories = spool.add(items, texts)
    self.articles = articles.contains { $0 != nil } ? spool.add([], articles) : nil
    storyKeys = ItemID.canonicalURLs(of: items, keys: keys).map { $0?.hashValue ?? 0 }
    dates = items.map { $0.date?.timeIntervalSinceReferenceDate ?? .nan }
    self.imported = imported
    ids = keys.enumerated().map { story, key in
      let known = imported.isEmpty ? nil : imported[story].id
      return known ?? ItemID.number(feed: feed, key: key)
    }
    for (story, key) in keys.enumerated() where !key.followsFrom(items[story]) {
      self.keys[story] = key
    }
  }

  /// Shortens summaries where whole texts are kept, except the summary that identifies a story.
  private static func shortenSummaries(
    of items: inout [Item],
    with texts: [StoryText?],
    _ keys: [ItemKey],
  ) {
    for story in texts.indices where texts[story] != nil && items[story].textNumber != 0 {
      if case .titleAndDate = keys[story], !items[story].hasText(.title) { continue }
      items[story].shortenSummary()
    }
  }

  func with(_ subscription: Subscription, keep: Int, isForced: Bool) -> FeedDelivery {
    let state = subscription.state
    var delivery = self
    delivery.keep = keep
    delivery.evicted = state.evicted
    delivery.cleared = state.cleared
    delivery.oldBefore = state.pendingMove?.firstSeen
    delivery.met = max(state.lastSucceeded ?? .distantPast, state.lastPart ?? .distantPast)
    delivery.isForced = isForced
    return delivery
  }

  /// Returns true for a story that something else brought since the feed last answered.
  ///
  /// Another program may have kept it in other words than its author wrote.
  func meetsFirst(_ stored: StoredItem) -> Bool {
    (stored.arrived ?? stored.stored).map { $0.wholeSeconds > met.wholeSeconds } ?? false
  }

  func imported(_ story: Int) -> ImportedStory? {
    imported.isEmpty ? nil : imported[story]
  }

  func storyKey(_ story: Int) -> Int? {
    storyKeys[story] == 0 ? nil : storyKeys[story]
  }

  func date(_ story: Int) -> Date? {
    dates[story].isNaN ? nil : Date(timeIntervalSinceReferenceDate: dates[story])
  }

  func item(_ story: Int) throws -> Item {
    try stories.item(at: story)
  }

  func text(of story: Int, for id: String) -> NewText? {
    stories.hasText(at: story) ? NewText(id: id, of: stories, at: story) : nil
  }

  func article(of story: Int, for id: String) -> NewText? {
    guard let articles, articles.hasText(at: story),
      let stored = imported(story)?.original.article
    else { return nil }
    return NewText(id: stored.key(ofStory: id), of: articles, at: story)
  }

  func text(of story: Int) throws -> StoryText? {
    try stories.text(at: story)
  }

  mutating func identify(_ story: Int, by key: ItemKey) {
    keys[story] = key
    ids[story] = ItemID.number(feed: feed, key: key)
  }

  func links() throws -> UniqueIndex<ItemKey> {
    var links: [ItemKey?] = []
    for story in ids.indices { links.append(ItemID.linkKey(try item(story).link)) }
    return UniqueIndex(links)
  }

  func key(of story: Int, _ item: Item) -> ItemKey {
    keys[story] ?? ItemID.key(of: item)
  }

  /// Returns the verdict on a story beside another of its link.
  ///
  /// The words of an import take the place of no others': a file can name any feed.
  func verdict(
    on story: Int,
    beside other: Item,
    of feeds: [String],
    _ words: StoryWords,
  ) throws -> StoryWords.Verdict {
    let verdict = words.verdict(on: try item(story), of: feed, beside: other, of: feeds)
    return verdict == .own && !imported.isEmpty ? .separate : verdict
  }

  func storyRule(of story: Int) throws -> StoryMatch.Rule {
    let item = try item(story)
    guard item.guidIsPermaLink, item.guid != nil else { return .link }
    let byLink = ItemID.canonicalPageURL(item.link)?.hashValue
    return byLink == storyKey(story) ? .link : .guid
  }
}

extension ItemKey {
  /// True if `ItemID.key(of:)` surely gives this key; others depend on the document's other
  /// stories.
  fileprivate func followsFrom(_ item: Item) -> Bool {
    switch self {
    case .guid: true
    case .link: !item.hasText(.guid)
    case .titleAndDate: false
    }
  }
}

extension Item {
  /// True for a story with nothing to read or open.
  fileprivate var isEmpty: Bool {
    ItemText.allCases.allSatisfy { $0 == .pubDate || !hasText($0) } && enclosures.isEmpty
  }
}
