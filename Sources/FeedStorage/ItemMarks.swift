/// What a reader did with a story, as far as it is to be changed; nil leaves a mark as it is.
package struct ItemMarks: Hashable, Sendable {
  package var isRead: Bool?
  package var isStarred: Bool?

  package init(isRead: Bool? = nil, isStarred: Bool? = nil) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// What is changed of a story without looking at the rest of it.
package struct ItemAdjustment: Hashable, Sendable {
  package var marks = ItemMarks()
  /// The URLs of all feeds that carry it; nil leaves them as they are.
  package var feeds: [String]?

  package init(marks: ItemMarks = ItemMarks(), feeds: [String]? = nil) {
    self.marks = marks
    self.feeds = feeds
  }
}
