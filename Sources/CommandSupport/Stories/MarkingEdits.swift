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
      if try !story.marks().have(marks) { found.append(position) }
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

  package mutating func tag(_ tag: String, at positions: [Int]) throws -> [Int] {
    var found: [Int] = []
    let folded = TextFolding.fold(tag)
    var new = adjustments
    try items.forEachStory(at: positions) { position, story in
      let stored = try story.strings(.tags)
      let tags = new[position]?.tags ?? stored
      guard !tags.contains(where: { TextFolding.fold($0) == folded }) else { return }
      new[position, default: ItemAdjustment()].tags = tags + [tag]
      found.append(position)
    }
    adjustments = new
    return found
  }

  package mutating func untag(_ tag: String, at positions: [Int]) throws {
    let folded = TextFolding.fold(tag)
    var new = adjustments
    try items.forEachStory(at: positions) { position, story in
      let stored = try story.strings(.tags)
      let tags = new[position]?.tags ?? stored
      let lost = tags.filter { TextFolding.fold($0) == folded }
      guard !lost.isEmpty else { return }
      new[position, default: ItemAdjustment()].tags = tags.filter { !lost.contains($0) }
    }
    adjustments = new
  }
}
