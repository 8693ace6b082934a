package import FeedModel

/// Flags of a story to be changed; nil leaves a flag as it is.
package struct ItemMarks: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  private var changed = StoryFlags()
  private var new = StoryFlags()

  package init() {}

  package init(dictionaryLiteral flags: (StoryFlag, Bool)...) {
    for (flag, isSet) in flags { self[flag] = isSet }
  }

  package init(from old: StoryFlags, to new: StoryFlags) {
    changed = old.symmetricDifference(new)
    self.new = new.intersection(changed)
  }

  package subscript(flag: StoryFlag) -> Bool? {
    get { changed[flag] ? new[flag] : nil }
    set { (changed[flag], new[flag]) = (newValue != nil, newValue ?? false) }
  }

  package mutating func take(_ other: ItemMarks) {
    new = other.applied(to: new)
    changed.formUnion(other.changed)
  }

  package func applied(to flags: StoryFlags) -> StoryFlags {
    flags.subtracting(changed).union(new)
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
