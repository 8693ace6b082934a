#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A story in the data file: what its feeds published, and what the reader did with it.
package struct StoredItem: Hashable, Sendable {
  /// Sixteen lower-case hexadecimal digits, given once when the story is stored and never changed.
  package var id: String
  package var item: Item
  /// The URLs of the feeds that carried it, the first one first.
  package var feeds: [String]
  /// When it was first stored.
  package var stored: Date?
  package var isRead = false
  package var isStarred = false

  package init(id: String, item: Item, feeds: [String], stored: Date?) {
    self.id = id
    self.item = item
    self.feeds = feeds
    self.stored = stored
  }
}
