import FeedLibrary
import FeedModel

struct MergedFeed {
  let number: Int
  private(set) var delivery: FeedDelivery
  /// Positions of the feed's stories in the table, newest first.
  let stored: [Int]
  var recognised: [Recognition]
  private(set) var withReusedGUIDs: Set<Int> = []
  var retitled: Set<Int> = []
  var findings = FeedFindings()
  /// The feed's URL, in an array that its new stories share.
  let url: [String]
  var effects: [Int: StoryEffect] = [:]

  private let cleared: ClearedHashes
  private var carriedCleared: Set<UInt64> = []
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

  /// Identifies new stories by their links if stored stories of the feed have their guids.
  mutating func noteReusedGUIDs(among candidates: [StoryRecognition.Candidate]) throws {
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

  mutating func isCleared(_ story: Int) throws -> Bool {
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

  /// Returns true if a link is surely the story's own, so that whatever has it is this story.
  private mutating func hasOwnLink(_ item: Item) throws -> Bool {
    guard delivery.isComplete && delivery.imported.isEmpty || delivery.comesRead,
      ItemID.canonicalPageURL(item.link) != nil, let link = ItemID.linkKey(item.link)
    else { return false }
    if links == nil { links = try delivery.links() }
    guard let links, links[link] != nil else { return false }
    return ItemID.countedGUID(item.guid) != nil
      || links.count >= StoryRecognition.leastByLink
  }

  mutating func pruneCleared() {
    guard delivery.isComplete, !cleared.all.isEmpty else { return }
    let others = findings.cleared.filter { !carriedCleared.contains($0) }
    guard others.count > ClearedHashes.mostUncarried else { return }
    let carried = findings.cleared.filter(carriedCleared.contains)
    findings.cleared = others.suffix(ClearedHashes.mostUncarried) + carried
  }

  /// Returns true for a story that retention evicted once, and removes its hash.
  mutating func takeEvicted(_ story: Int) -> Bool {
    guard let index = findings.evicted.firstIndex(of: delivery.ids[story]) else { return false }
    findings.evicted.remove(at: index)
    return true
  }
}

package struct FeedFindings: Hashable, Sendable {
  package var news = FeedNews()
  package var hadStories = false
  package var recognised = 0
  /// True if one of them was the feed's before redirects led elsewhere (`FeedDelivery.oldBefore`).
  package var hasOldStory = false
  package var updated = 0
  package var stored = 0
  package var filtered = 0
  /// The stories that were too old to stay unread.
  package var readOld = 0
  /// True if a known feed delivered only unknown stories, and not because all of them are newer.
  package var isAllNew = false
  /// Hashes of evicted and of cleared stories to keep until the next merge.
  package var evicted: [UInt64] = []
  package var cleared: [UInt64] = []

  package init() {}
}
