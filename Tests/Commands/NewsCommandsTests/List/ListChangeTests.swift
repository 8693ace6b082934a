import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import ReadingCommands

@Suite("What makes one list another")
struct ListChangeTests {
  /// Returns an entry for each letter; a capital letter is the same story with new content.
  private static func entries(_ text: String) -> [ListEntry] {
    text.unicodeScalars.map { scalar in
      let isNew = scalar.properties.isUppercase
      let letter = isNew ? scalar.value + 32 : scalar.value
      return ListEntry(story: UInt64(letter), shown: isNew ? 1 : 0)
    }
  }

  private static func words(_ steps: [ListChange]) -> String {
    steps.map { "\($0.kind) \($0.index)" }.joined(separator: ", ")
  }

  @Test(
    "is told in the fewest steps",
    arguments: [
      ("", "", ""), ("abc", "abc", ""),
      ("abc", "xabc", "insert 0"), ("", "ab", "insert 1, insert 0"),
      ("abc", "ac", "delete 1"), ("abc", "", "delete 2, delete 1, delete 0"),
      ("abc", "aBc", "update 1"), ("abc", "cab", "move 0"), ("abc", "bca", "move 2"),
      ("abc", "Cab", "move 0"),
      ("abcde", "exbD", "delete 2, delete 0, update 3, insert 1, move 0"),
      ("ab", "aba", ""), ("aab", "ab", ""),
    ],
  )
  func steps(old: String, new: String, expected: String) {
    let steps = ListChange.steps(from: Self.entries(old), to: Self.entries(new))
    #expect(Self.words(steps) == expected)
  }

  @Test("tells of a story that is gone by the id that another program gave it")
  func foreignID() throws {
    let news = try CommandRun()
    let story = StoredItem(id: "mine/1", item: Item(title: "T"), feeds: [], stored: nil)
    try news.store.update { _ in
      (LibraryChange(StoryChanges(adding: [story])), ())
    }
    let entries = try ListEntry.entries(of: try news.store.read().items, at: [0])
    #expect(entries.map(\.bareStory.id) == ["mine/1"])
  }

  @Test("names no story as the next that comes again")
  func nextOfSeveral() {
    let steps = ListChange.steps(from: Self.entries("a"), to: Self.entries("aba"))
    #expect(steps == [ListChange(kind: .insert, index: 1)])
    let first = ListChange.steps(from: [], to: Self.entries("abac"))
    #expect(first.map(\.index) == [3, 1, 0])
    #expect(first.map(\.before) == [nil, 3, 1])
  }

  @Test("makes it that when the steps are taken one after the other")
  func replay() {
    var chance = Chance(seed: 16)
    for _ in 0..<2_000 {
      let (old, new) = (Self.list(&chance), Self.list(&chance))
      var list = old
      for step in ListChange.steps(from: old, to: new) {
        if step.kind == .delete {
          list.removeAll { $0.story == old[step.index].story }
        } else if step.kind == .update {
          let place = list.firstIndex { $0.story == new[step.index].story }
          list[place ?? 0] = new[step.index]
        } else {
          list.removeAll { $0.story == new[step.index].story }
          let next = step.before.map { new[$0].story }
          list.insert(new[step.index], at: list.firstIndex { $0.story == next } ?? list.count)
        }
      }
      #expect(list == new)
    }
  }

  private static func list(_ chance: inout Chance) -> [ListEntry] {
    var left = Array(UInt64(0)..<20)
    return (0..<chance.below(13)).map { _ in
      let story = left.remove(at: chance.below(left.count))
      return ListEntry(story: story, shown: chance.below(3))
    }
  }
}
