package import FeedModel

/// What a reader did with a story, as far as it is to be changed; nil leaves a mark as it is.
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

  /// Whether they are what `other` says, where it says anything.
  package func have(_ other: ItemMarks) -> Bool {
    (other.isRead == nil || other.isRead == isRead)
      && (other.isStarred == nil || other.isStarred == isStarred)
  }

  /// Those of `other`, where it says anything.
  package mutating func take(_ other: ItemMarks) {
    isRead = other.isRead ?? isRead
    isStarred = other.isStarred ?? isStarred
  }
}

/// What is changed of a story without looking at the rest of it.
package struct ItemAdjustment: Hashable, Sendable {
  package var marks = ItemMarks()
  /// The URLs of all feeds that carry it; nil leaves them as they are.
  package var feeds: [String]?
  /// All its tags; nil leaves them as they are.
  package var tags: [String]?
  package var article: StoredArticle?
  /// The typed texts that are to be others (`SyncKey.StoryMark.texts`); of an empty one there is to be
  /// none.
  package var texts: [SyncKey.StoryMark: String] = [:]

  package init(
    marks: ItemMarks = ItemMarks(),
    feeds: [String]? = nil,
    tags: [String]? = nil,
    article: StoredArticle? = nil,
  ) {
    self.marks = marks
    self.feeds = feeds
    self.tags = tags
    self.article = article
  }

  package var isOfMarksAlone: Bool {
    feeds == nil && tags == nil && article == nil && texts.isEmpty
  }

  /// Whether anything of it is told to other machines.
  var hasFacts: Bool { marks != ItemMarks() || tags != nil || !texts.isEmpty }

  /// Takes the marks, tags and texts of another, where it says anything of them.
  package mutating func take(_ other: ItemAdjustment) {
    marks.take(other.marks)
    tags = other.tags ?? tags
    texts.merge(other.texts) { $1 }
  }
}
