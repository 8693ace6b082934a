import FeedModel
import FeedStorage

/// A feed while its delivery is merged: what of that was recognised, and what is found out.
struct MergedFeed {
  let number: Int
  let delivery: FeedDelivery
  /// Positions of the feed's stories in the table, newest first.
  let stored: [Int]
  /// For each story of the delivery, the position of the story that it is.
  var positions: [Int?]
  /// For each story of the delivery, whether it is stored as it is.
  var isUnchanged: [Bool]
  /// What those stories have in common with it that were not recognised by their key.
  var rules: [Int: StoryMatch.Rule] = [:]
  var findings = FeedFindings()
  /// Its feed, in a list that its new stories share.
  let url: [String]

  private let cleared: Set<UInt64>
  private var carriedCleared: Set<UInt64> = []

  init(_ delivery: FeedDelivery, number: Int, stored: [Int]) {
    self.number = number
    self.delivery = delivery
    url = [delivery.feed]
    self.stored = stored
    positions = Array(repeating: nil, count: delivery.stories.count)
    isUnchanged = Array(repeating: false, count: delivery.stories.count)
    findings.dropped = delivery.dropped
    findings.cleared = delivery.cleared
    cleared = Set(delivery.cleared)
  }

  var open: [Int] {
    positions.indices.filter { positions[$0] == nil }
  }

  var hasOpen: Bool { positions.contains { $0 == nil } }

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
  mutating func takeDropped(_ story: Int) -> Bool {
    guard let place = findings.dropped.firstIndex(of: delivery.ids[story]) else { return false }
    findings.dropped.remove(at: place)
    return true
  }
}

/// What a merge found out about one feed: what the decision on its outcome needs.
package struct FeedFindings: Hashable, Sendable {
  /// The title of the document's newest story; nil for a document without stories.
  ///
  /// That is the one with the greatest date (one in the future counts as of when it was stored);
  /// without dates, the first.
  package var newestTitle: String?
  /// Whether nothing that is stored of the feed is newer than the document's newest story.
  ///
  /// A part of a document may lack the newest.
  package var newestIsOnTop = true
  /// Whether stories of the feed were stored before.
  package var hadStories = false
  /// Stories of the document that were stored before, in this feed.
  package var recognised = 0
  /// Whether one of them was the feed's before redirects led elsewhere (`FeedDelivery.oldBefore`).
  package var hasOldStory = false
  /// Those of them whose content has changed.
  package var updated = 0
  /// Stories that were added to the data file.
  package var stored = 0
  /// Those of them that are not older than all that was stored of the feed, nor dropped before.
  ///
  /// Positions in `ItemMerge.insertions`.
  package var newer: [Int] = []
  /// Hashes of stories that were dropped from the feed, to be kept until the next merge.
  package var dropped: [UInt64] = []
  /// Hashes of stories that the reader cleared for good, to be kept until the next merge.
  package var cleared: [UInt64] = []

  package init() {}

  /// Whether a feed that is known delivered nothing that is.
  package var isAllNew: Bool {
    hadStories && recognised == 0 && stored > 1
  }
}
