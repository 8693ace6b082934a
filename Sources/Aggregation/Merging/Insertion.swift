package import FeedModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A story that a merge adds.
package struct Insertion: Hashable, Sendable {
  package var item: StoredItem
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
