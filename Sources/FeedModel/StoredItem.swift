package import System

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
  /// At most one of each feed: the last delivery that was taken for this story by something else
  /// than its key.
  package var matches: [StoryMatch] = []
  /// At most one for each part, in the order of the parts.
  package var changes: [StoryChange] = []

  package init(id: String, item: Item, feeds: [String], stored: Date?) {
    self.id = id
    self.item = item
    self.feeds = feeds
    self.stored = stored
  }
}
