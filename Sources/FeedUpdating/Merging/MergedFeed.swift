import FeedModel
import FeedStorage

/// A feed while its delivery is merged: what is known of its stories, and what is found out.
struct MergedFeed {
  let number: Int
  private(set) var delivery: FeedDelivery
  /// Positions of the feed's stories in the table, newest first.
  let stored: [Int]
  /// For each story of the delivery.
  var recognised: [Recognition]
  /// New stories whose guids others had before.
  private(set) var withReusedGUIDs: Set<Int> = []
  /// Those that were stored before under other titles.
  var retitled: Set<Int> = []
  var findings = FeedFindings()
  /// Its feed, in a list that its new stories share.
  let url: [String]
  /// What rules, or an import, say of new stories, where they say anything.
  var effects: [Int: StoryEffect] = [:]

  private let cleared: ClearedHashes
  private var carriedCleared: Set<UInt64> = []
  /// Of the delivery; made when somebody asks.
  private var links: UniqueIndex<ItemKey>?

  init(_ delivery: FeedDelivery, number: Int, in table: StoredPositions) {
    self.number = number
    self.delivery = delivery
    url = [delivery.feed]
    stored = table.byDelivery[number]
    recognised = table.recognised[number]
    findings.evicted = delivery.evicted
    findings.cleared = delivery.cleared
    cleared = ClearedHashes(delivery.cleared)
    for (story, imported) in delivery.imported.enumerated() where imported.effect != StoryEffect() {
      effects[story] = imported.effect
    }
  }

  var new: [Int] { recognised.indices.filter { recognised[$0] == .new } }
  var hasNew: Bool { recognised.contains(.new) }

  /// Has the links of new stories stand in for guids that stored stories of the feed have.
  mutating func noteReusedGUIDs(
    among candidates: [StoryRecognition.Candidate]
  ) throws(StorageError) {
    let known = Set(candidates.lazy.filter(\.isOwn).compactMap(\.keys.guid))
    for story in new where delivery.imported(story)?.id == nil {
      let item = try delivery.item(story)
      if known.contains(delivery.key(of: story, item)) { noteReusedGUID(story, item) }
    }
  }

  private mutating func noteReusedGUID(_ story: Int, _ item: Item) {
    withReusedGUIDs.insert(story)
    delivery.identify(story, by: ItemID.keyOfReusedGUID(of: item))
  }

  /// Whether the reader has cleared a new story.
  mutating func isCleared(_ story: Int) throws(StorageError) -> Bool {
    guard !cleared.all.isEmpty else { return false }
    let item = try delivery.item(story)
    let isReused = withReusedGUIDs.contains(story)
    let key = isReused ? ItemID.key(of: item) : delivery.key(of: story, item)
    switch cleared.recognition(of: item, key: key) {
    case .cleared: break
    case .clearedIfLinkIsOwn:
      guard try hasOwnLink(item) else { return false }
    case .other:
      if !isReused, delivery.imported(story)?.id == nil { noteReusedGUID(story, item) }
      return false
    case .unknown: return false
    }
    carriedCleared.formUnion(ClearedHashes.hashesEver(of: item))
    return true
  }

  /// Whether the link of a story is surely its own, so that whatever has it is this story.
  private mutating func hasOwnLink(_ item: Item) throws(StorageError) -> Bool {
    guard delivery.isComplete, delivery.imported.isEmpty,
      ItemID.canonicalPageURL(item.link) != nil, let link = ItemID.linkKey(item.link)
    else { return false }
    if links == nil { links = try delivery.links() }
    guard let links, links[link] != nil else { return false }
    return ItemID.countedGUID(item.guid) != nil
      || links.count >= StoryRecognition.leastByLink
  }

  /// Forgets most of the cleared stories that the whole document did not carry.
  mutating func pruneCleared() {
    guard delivery.isComplete, !cleared.all.isEmpty else { return }
    let others = findings.cleared.filter { !carriedCleared.contains($0) }
    guard others.count > ClearedHashes.mostUncarried else { return }
    let carried = findings.cleared.filter(carriedCleared.contains)
    findings.cleared = others.suffix(ClearedHashes.mostUncarried) + carried
  }

  /// Whether retention once dropped this story; it is then no more among the dropped.
  mutating func takeEvicted(_ story: Int) -> Bool {
    guard let index = findings.evicted.firstIndex(of: delivery.ids[story]) else { return false }
    findings.evicted.remove(at: index)
    return true
  }
}

/// What a merge found out about one feed: what the decision on its outcome needs.
package struct FeedFindings: Hashable, Sendable {
  package var news = FeedNews()
  package var hadStories = false
  /// Stories of the document that were stored before, in this feed.
  package var recognised = 0
  /// Whether one of them was the feed's before redirects led elsewhere (`FeedDelivery.oldBefore`).
  package var hasOldStory = false
  /// Those of them whose content has changed.
  package var updated = 0
  /// Stories that were added to the data file.
  package var stored = 0
  /// Stories that rules kept from being added.
  package var filtered = 0
  /// Whether a feed that is known delivered nothing that is, and not because all of it is newer.
  package var isAllNew = false
  /// As `FeedDelivery.dropped` and `FeedDelivery.cleared`, to be kept until the next merge.
  package var evicted: [UInt64] = []
  package var cleared: [UInt64] = []

  package init() {}
}
