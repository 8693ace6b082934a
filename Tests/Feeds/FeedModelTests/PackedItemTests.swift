import FeedModel
import TestSupport
import Testing

@Suite("An item in one piece of memory is like any other")
struct PackedItemTests {
  /// Returns a story as a parser makes it: packed texts and their layout.
  private func packed() -> Item {
    var layout = ItemTextLayout()
    var texts: [UInt8] = []
    texts += "Häuser".utf8
    layout[.title] = texts.count
    texts += "7 Mar 2023".utf8
    layout[.pubDate] = texts.count
    layout[.guid] = texts.count
    texts += "https://example.com/1".utf8
    layout[.link] = texts.count
    texts += "A summary".utf8
    layout[.summary] = texts.count
    var details = ItemDetails()
    details.author = "A. Writer"
    details.categories = ["one", "two"]
    return texts.withUnsafeBufferPointer { Item(texts: $0, layout: layout, details: details) }
  }

  /// Returns an equal story that is made of strings.
  private func plain() -> Item {
    var item = Item(title: "Häuser", link: "https://example.com/1", pubDate: "7 Mar 2023")
    item.summary = "A summary"
    item.author = "A. Writer"
    item.categories = ["one", "two"]
    return item
  }

  @Test("it is equal to one of strings, and has the same hash and contents")
  func equality() {
    #expect(packed() == plain())
    #expect(packed() == packed())
    #expect(packed().hashValue == plain().hashValue)
    for text in ItemText.allCases {
      let contents = { (item: Item) in item.withContents { Array($0.text(text)) } }
      #expect(contents(packed()) == contents(plain()))
      #expect(packed().hasText(text) == plain().hasText(text))
      #expect(packed().hasText(text) == !contents(packed()).isEmpty)
    }
    #expect(packed().guid == nil)
    #expect(!packed().hasText(.guid))
  }

  @Test("a damaged count of files is at its end with the bytes", .timeLimit(.minutes(1)))
  func damagedCount() {
    var bytes = plain().withPacked { Array($0) }
    bytes.replaceSubrange((bytes.count - 4)..., with: repeatElement(0xFF, count: 4))
    #expect(bytes.withUnsafeBytes { Item(packed: $0) }.related.isEmpty)
  }

  @Test(
    "to change a copy leaves the other as it was",
    arguments: [
      { $0.title = "Other" }, { $0.link = "" }, { $0.pubDate = "" }, { $0.guid = "g" },
      { $0.summary = nil }, { $0.date = Date(timeIntervalSinceReferenceDate: 1) },
      { $0.guidIsPermaLink = true }, { $0.author = nil }, { $0.categories.append("three") },
      { $0.enclosures = [Enclosure(url: "https://example.com/a.mp3")] },
      { $0.related = [RelatedFile(role: .chapters, url: "https://example.com/a.json")] },
      { $0.chapters = [Chapter(start: 1, title: "a")] }, { $0.people = [Person(name: "a")] },
      { $0.season = 1 }, { $0.episode = 1 }, { $0.comments = "https://example.com/1#c" },
    ] as [@Sendable (inout Item) -> Void],
  )
  func copies(change: @Sendable (inout Item) -> Void) {
    for original in [packed(), plain()] {
      var copy = original
      change(&copy)
      #expect(copy != original)
      #expect(original == plain())
      var other = plain()
      change(&other)
      #expect(copy == other)
      // The second change happens where nobody else refers to the item.
      copy.author = "B"
      other.author = "B"
      #expect(copy == other)
    }
  }
}
