package import FeedModel
package import FeedStorage

package struct ImportedStory: Hashable, Sendable {
  /// The stored facts of the story; its own item is not used.
  ///
  /// `id` is empty and `stored` nil if the other program does not know them. `feeds` are those
  /// besides the imported one.
  package var original: StoredItem
  /// The index among the imported stories; of equal instants the first comes first.
  package var index: Int
  /// True if the story was deleted there: it is not stored, and stays away while its feed carries
  /// it.
  package var isDeleted: Bool

  package init(_ original: StoredItem, at index: Int, isDeleted: Bool = false) {
    (self.original, self.index, self.isDeleted) = (original, index, isDeleted)
  }

  var id: UInt64? { ItemID.number(of: original.id.utf8) }

  var effect: StoryEffect {
    var effect = StoryEffect()
    (effect.flags, effect.tags) = (original.flags, original.tags)
    (effect.texts, effect.rules) = (original.typedTexts, original.rules)
    effect.isFiltered = isDeleted
    return effect
  }
}

package struct ImportedMarks: Sendable {
  package private(set) var read = ItemIDs()
  package private(set) var starred = ItemIDs()
  package private(set) var tagged: [String: ItemIDs] = [:]
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
  /// Adds the marks of another copy.
  ///
  /// A flag stays, and so does a text typed here.
  mutating func takeMarks(of other: StoredItem) {
    flags.formUnion(other.flags)
    tags += other.tags.filter { !tags.contains($0) }
    typedTexts.merge(other.typedTexts) { own, _ in own }
  }
}

extension ItemMerge {
  mutating func takeMarks(of imported: ImportedStory, at position: Int) throws {
    let old = try current(position)
    var story = old
    story.takeMarks(of: imported.original)
    guard story != old else { return }
    marks.note(story, was: old)
    changed[position] = story
  }
}
