package import FeedModel
package import FeedStorage
import System

/// The stories that came back from one feed, with their identities.
///
/// Everything here follows from the document alone, so that the threads that parse can make it. The
/// stories themselves may be out of the way; what is needed of each is held as a few numbers.
package struct FeedDelivery: Sendable {
  package let feed: String
  /// In document order; of several that are the same story only the first.
  let stories: SpooledStories
  /// The articles that stand beside imported stories' texts; nil where there are none.
  private let articles: SpooledStories?
  /// Whether the texts of unchanged stories are stored again.
  private(set) var isForced = false
  /// Whether the document was whole; what a part of one lacks has not vanished.
  package let isComplete: Bool
  /// Hashes of stories that retention dropped (`FeedState.dropped`).
  var evicted: [UInt64] = []
  /// Hashes of stories that the reader cleared for good (`FeedState.cleared`).
  var cleared: [UInt64] = []
  /// How many stories are kept that the feed no longer carries; 0 keeps all.
  package var keep = Retention.usual
  /// Stories that were stored later may have come from where redirects lead; nil without any.
  var oldBefore: Date?
  /// The ids that the stories get if they are new, as numbers.
  private(set) var ids: [UInt64]
  /// Hashes of what identifies them in other feeds too (`ItemID.canonicalURL`).
  ///
  /// Of 64 bits that nobody outside this process can foresee: two stories of a million have the same
  /// one once in forty million runs.
  private let storyKeys: [Int]
  /// In seconds since 2001; not a number where there is none.
  private let dates: [Double]
  /// The keys that do not follow from the story alone.
  private var keys: [Int: ItemKey] = [:]
  /// What each story was elsewhere, where they are imported; empty for a feed's own document.
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
    // Before there are keys: that of a story that has nothing but a date is as long as the date.
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
        // What another home told apart stays apart.
        if !imported.isEmpty, imported[story].id != nil { return true }
        guard let index = first[keys[story]] else {
          first[keys[story]] = story
          return true
        }
        if !imported.isEmpty { imported[index].frame.takeMarks(of: imported[story].frame) }
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

  /// Leaves summaries' beginnings where the whole texts are kept, but for a story that is known by its
  /// summary.
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
    delivery.isForced = isForced
    return delivery
  }

  func imported(_ story: Int) -> ImportedStory? {
    imported.isEmpty ? nil : imported[story]
  }

  /// nil where nothing identifies the story in other feeds.
  func storyKey(_ story: Int) -> Int? {
    storyKeys[story] == 0 ? nil : storyKeys[story]
  }

  func date(_ story: Int) -> Date? {
    dates[story].isNaN ? nil : Date(timeIntervalSinceReferenceDate: dates[story])
  }

  func item(_ story: Int) throws(StorageError) -> Item {
    try stories.item(at: story)
  }

  /// The whole text of a story, to be stored for that with an id; nil where it has none.
  func text(of story: Int, for id: String) -> NewText? {
    stories.hasText(at: story) ? NewText(id: id, of: stories, at: story) : nil
  }

  /// Its page's article, in the same way.
  func article(of story: Int, for id: String) -> NewText? {
    guard let articles, articles.hasText(at: story),
      let stored = imported(story)?.frame.article
    else { return nil }
    return NewText(id: stored.key(ofStory: id), of: articles, at: story)
  }

  func text(of story: Int) throws(StorageError) -> StoryText? {
    try stories.text(at: story)
  }

  /// Gives a story another key than its document does.
  mutating func identify(_ story: Int, by key: ItemKey) {
    keys[story] = key
    ids[story] = ItemID.number(feed: feed, key: key)
  }

  /// The links that one of the stories alone has.
  func links() throws(StorageError) -> UniqueIndex<ItemKey> {
    var links: [ItemKey?] = []
    for story in ids.indices { links.append(ItemID.linkKey(try item(story).link)) }
    return UniqueIndex(links)
  }

  func key(of story: Int, _ item: Item) -> ItemKey {
    keys[story] ?? ItemID.key(of: item)
  }

  /// Whether it is the guid of a story or its link that other feeds may know it by.
  func storyRule(of story: Int) throws(StorageError) -> StoryMatch.Rule {
    let item = try item(story)
    guard item.guidIsPermaLink, item.guid != nil else { return .link }
    let byLink = ItemID.canonicalPageURL(item.link)?.hashValue
    return byLink == storyKey(story) ? .link : .guid
  }
}

extension ItemKey {
  /// Whether `ItemID.key(of:)` surely gives this key for the item; what a document's other stories
  /// have a say in is kept instead.
  fileprivate func followsFrom(_ item: Item) -> Bool {
    switch self {
    case .guid: true
    case .link: !item.hasText(.guid)
    case .titleAndDate: false
    }
  }
}

extension Item {
  /// Nothing that a reader could read or open.
  fileprivate var isEmpty: Bool {
    ItemText.allCases.allSatisfy { $0 == .pubDate || !hasText($0) } && enclosures.isEmpty
  }
}
