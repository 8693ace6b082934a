package import FeedModel
package import FeedStorage
import Searching

/// The marks, tags and texts that stories get or lose, by position in the data file.
package struct MarkingEdits {
  package let items: ItemTable
  package private(set) var adjustments: [Int: ItemAdjustment] = [:]

  package init(_ items: ItemTable) {
    self.items = items
  }

  package var count: Int { adjustments.count }

  package mutating func set(_ marks: ItemMarks, at positions: [Int]) throws -> [Int] {
    guard marks != ItemMarks() else { return [] }
    var found: [Int] = []
    try items.forEachStory(at: positions) { position, story in
      let flags = try story.flags()
      if marks.applied(to: flags) != flags { found.append(position) }
    }
    for position in found { adjustments[position, default: ItemAdjustment()].marks.take(marks) }
    return found
  }

  /// Sets a typed text, such as a note; an empty one removes it.
  package mutating func set(
    _ text: String,
    as mark: SyncKey.StoryMark,
    at positions: [Int],
  ) throws {
    var new = adjustments
    try items.forEachStory(at: positions) { position, story in
      guard try story.typedText(mark) ?? "" != text else { return }
      new[position, default: ItemAdjustment()].texts[mark] = text
    }
    adjustments = new
  }

  package mutating func set(_ article: StoredArticle, at position: Int) {
    adjustments[position, default: ItemAdjustment()].article = article
  }

  /// Removes tags and adds others, whatever their case; returns the stories that changed.
  ///
  /// Throws `TagLimit` where one would have too many.
  package mutating func tag(
    _ added: [String],
    without removed: [String] = [],
    at positions: [Int],
  ) throws -> [Int] {
    var found: [Int] = []
    let gone = Set(removed.map(TextFolding.fold))
    let added = added.map { (tag: $0, folded: TextFolding.fold($0)) }
    var new = adjustments
    try items.forEachStory(at: positions) { position, story in
      let stored = try story.strings(.tags)
      let old = new[position]?.tags ?? stored
      var tags = old.filter { !gone.contains(TextFolding.fold($0)) }
      var known = Set(tags.map(TextFolding.fold))
      tags += added.filter { known.insert($0.folded).inserted }.map(\.tag)
      guard tags != old else { return }
      guard tags.count <= max(TagList.most, old.count) else { throw TagLimit() }
      new[position, default: ItemAdjustment()].tags = tags
      found.append(position)
    }
    adjustments = new
    return found
  }
}
