import FeedModel
import FeedStorage

/// A feed while its delivery is merged: what is known of its stories, and what is found out.
struct MergedFeed {
  let number: Int
  let delivery: FeedDelivery
  /// Positions of the feed's stories in the table, newest first.
  let stored: [Int]
  /// For each story of the delivery.
  var recognised: [Recognition]
  /// Those that were stored before under other titles.
  var retitled: Set<Int> = []
  var findings = FeedFindings()
  /// Its feed, in a list that its new stories share.
  let url: [String]
  /// What rules, or an import, say of new stories, where they say anything.
  var effects: [Int: StoryEffect] = [:]

  private let cleared: Set<UInt64>
  private var carriedCleared: Set<UInt64> = []

  init(_ delivery: FeedDelivery, number: Int, in table: StoredPositions) {
    self.number = number
    self.delivery = delivery
    url = [delivery.feed]
    stored = table.byDelivery[number]
    recognised = table.recognised[number]
    findings.evicted = delivery.evicted
    findings.cleared = delivery.cleared
    cleared = Set(delivery.cleared)
    for (story, imported) in delivery.imported.enumerated() where imported.effect != StoryEffect() {
      effects[story] = imported.effect
    }
  }

  var new: [Int] { recognised.indices.filter { recognised[$0] == .new } }
  var hasNew: Bool { recognised.contains(.new) }

  mutating func isCleared(_ story: Int) throws(StorageError) -> Bool {
    guard !cleared.isEmpty else { return false }
    let item = try delivery.item(story)
    let key = delivery.key(of: story, item)
    guard cleared.contains(ClearedHashes.hash(of: item, key: key)) else { return false }
    carriedCleared.formUnion(ClearedHashes.hashes(of: item))
    return true
  }

  /// Forgets most of the cleared stories that the whole document did not carry.
  mutating func pruneCleared() {
    guard delivery.isComplete, !cleared.isEmpty else { return }
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
