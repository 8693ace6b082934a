package import FeedModel

/// Marks of a story to be changed; nil leaves a mark as it is.
package struct ItemMarks: Hashable, Sendable {
  package var isRead: Bool?
  package var isStarred: Bool?

  package init(isRead: Bool? = nil, isStarred: Bool? = nil) {
    self.isRead = isRead
    self.isStarred = isStarred
  }

  package var reversed: ItemMarks {
    ItemMarks(isRead: isRead.map { !$0 }, isStarred: isStarred.map { !$0 })
  }

  package func have(_ other: ItemMarks) -> Bool {
    (other.isRead == nil || other.isRead == isRead)
      && (other.isStarred == nil || other.isStarred == isStarred)
  }

  package mutating func take(_ other: ItemMarks) {
    isRead = other.isRead ?? isRead
    isStarred = other.isStarred ?? isStarred
  }
}

/// A change of a story that leaves the rest of it unread.
package struct ItemAdjustment: Hashable, Sendable {
  package var marks = ItemMarks()
  package var feeds: [String]?
  package var tags: [String]? {
    didSet { tags = tags.map(TagList.bounded) }
  }
  package var article: StoredArticle?
  /// The changed typed texts (`SyncKey.StoryMark.texts`); an empty one is removed.
  package var texts: [SyncKey.StoryMark: String] = [:]

  package init(
    marks: ItemMarks = ItemMarks(),
    feeds: [String]? = nil,
    tags: [String]? = nil,
    article: StoredArticle? = nil,
  ) {
    self.marks = marks
    self.feeds = feeds
    self.tags = tags.map(TagList.bounded)
    self.article = article
  }

  package var isOfMarksAlone: Bool {
    feeds == nil && tags == nil && article == nil && texts.isEmpty
  }

  var hasFacts: Bool { marks != ItemMarks() || tags != nil || !texts.isEmpty }

  package mutating func take(_ other: ItemAdjustment) {
    marks.take(other.marks)
    tags = other.tags ?? tags
    texts.merge(other.texts) { $1 }
  }
}
