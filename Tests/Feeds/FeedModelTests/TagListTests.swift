import Testing

@testable import FeedModel

@Suite("Tags of a feed or a story")
struct TagListTests {
  private let names = (0..<120).map { "t\($0)" }

  @Test("there are at most 100, however they are set, and the number of the others is known")
  func limit() throws {
    var feed = Subscription(url: "https://example.com/")
    feed.tags = names
    #expect(feed.tags == Array(names.prefix(100)) && feed.$tags.leftOut == 20)
    feed.tags.removeAll { $0 == "t0" }
    #expect(feed.tags.count == 99 && feed.$tags.leftOut == 0)
    feed.tags.append("a")
    #expect(feed.$tags.leftOut == 0)
    feed.tags.append("b")
    #expect(feed.tags.last == "a" && feed.$tags.leftOut == 1)
    var story = StoredItem(id: "", item: Item(title: "a"), feeds: [], stored: nil)
    story.tags += names
    #expect(story.tags.count == 100)
  }
}
