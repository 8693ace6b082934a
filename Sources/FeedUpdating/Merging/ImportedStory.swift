package import FeedModel
package import FeedStorage

/// What a story was in another program, or another home, that hands it over.
package struct ImportedStory: Hashable, Sendable {
  /// What the store adds to an item; its own item counts for nothing.
  ///
  /// `id` is empty, and `stored` nil, where the other program does not know them; `feeds` are those
  /// besides the one that the story is imported with.
  package var frame: StoredItem
  /// Its index among those imported: of stories of one instant the first comes first.
  package var index: Int
  /// The reader has deleted it there: it is not stored, and stays away while its feed carries it.
  package var isDeleted: Bool

  package init(_ frame: StoredItem, at index: Int, isDeleted: Bool = false) {
    (self.frame, self.index, self.isDeleted) = (frame, index, isDeleted)
  }

  /// The id that it is to keep; nil where it has none of ours.
  var id: UInt64? { ItemID.number(of: frame.id.utf8) }

  /// Its marks, as rules give them.
  var effect: StoryEffect {
    var effect = StoryEffect()
    (effect.isRead, effect.isStarred) = (frame.isRead, frame.isStarred)
    (effect.tags, effect.texts, effect.rules) = (frame.tags, frame.typedTexts, frame.rules)
    effect.isFiltered = isDeleted
    return effect
  }
}

/// What stories that were stored before have got from the same ones imported.
package struct ImportedMarks: Sendable {
  package private(set) var read = ItemIDs()
  package private(set) var starred = ItemIDs()
  package private(set) var tagged: [String: ItemIDs] = [:]
  /// Stories that got any of these.
  package private(set) var count = 0

  mutating func note(_ story: StoredItem, was old: StoredItem) {
    if story.isRead != old.isRead { read.insert(story.id) }
    if story.isStarred != old.isStarred { starred.insert(story.id) }
    for tag in story.tags.dropFirst(old.tags.count) {
      tagged[tag, default: ItemIDs()].insert(story.id)
    }
    count += 1
  }
}

extension StoredItem {
  /// Takes up the marks that the story had elsewhere; what is read or starred stays so, and so does a
  /// text that was typed here.
  mutating func takeMarks(of other: StoredItem) {
    isRead = isRead || other.isRead
    isStarred = isStarred || other.isStarred
    tags += other.tags.filter { !tags.contains($0) }
    typedTexts.merge(other.typedTexts) { own, _ in own }
  }
}

extension ItemMerge {
  mutating func takeMarks(
    of imported: ImportedStory,
    at position: Int,
  ) throws(StorageError) {
    let old = try current(position)
    var story = old
    story.takeMarks(of: imported.frame)
    guard story != old else { return }
    marks.note(story, was: old)
    changed[position] = story
  }
}
