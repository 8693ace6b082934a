import FeedModel
import System

/// A story that a merge adds.
struct Insertion: Hashable, Sendable {
  /// Which delivery brings it, and its place in that.
  let delivery: Int
  let story: Int
  let id: UInt64
  /// The URLs of the feeds that carry it, the first one first.
  var feeds: [String]
  /// A story that retention once dropped does not come back as unread.
  let isRead: Bool
  /// By what it was found in the other feeds.
  var matches: [StoryMatch] = []
  let placement: Placement
}

/// Where a story goes in the order: by its instant, and among equal ones in document order.
struct Placement: Hashable, Sendable {
  let instant: Date
  /// The last stored story with the same instant that comes before it in its document, as a
  /// position in the table; -1 when there is none.
  let anchor: Int
  /// Counts up through all documents of the merge.
  let sequence: Int

  /// Whether a story that is placed so comes before another.
  func precedes(_ other: Placement) -> Bool {
    if instant != other.instant { return instant > other.instant }
    return (anchor, sequence) < (other.anchor, other.sequence)
  }
}
