import FeedModel
import Testing

@testable import FeedLibrary
@testable import FeedUpdating

@Suite("What is noted of a story's way into the store")
struct StoryHistoryTests {
  private var store = StoredStories()
  private let feedA = "https://a.example/feed"
  private let feedB = "https://b.example/feed"

  @Test("what a feed changes is noted once for each part, with what it was")
  mutating func changes() throws {
    try store.deliver([story("a", at: 1)], at: hour(2))
    var item = story("a", at: 1, title: "b")
    try store.deliver([item], at: hour(3))
    #expect(
      store["b"]?.changes == [StoryChange(part: .title, date: hour(3), was: "a")]
    )
    item.title = "c"
    item.summary = "new"
    item.link = "https://a.example/moved"
    try store.deliver([item], at: hour(4))
    #expect(
      store["c"]?.changes == [
        StoryChange(part: .title, date: hour(4), was: "b"),
        StoryChange(part: .link, date: hour(4), was: "https://a.example/a"),
        StoryChange(part: .summary, date: hour(4), was: nil),
      ]
    )
    item.summary = "newer"
    try store.deliver([item], at: hour(5))
    // Of the earlier changes only that of the link is left, from which keys are made.
    #expect(
      store["c"]?.changes == [
        StoryChange(part: .link, date: hour(4), was: "https://a.example/a"),
        StoryChange(part: .summary, date: hour(5), was: nil),
      ]
    )
    #expect(store["c"]?.matches == [])
  }

  @Test("a transcript that comes later is taken up in place, and noted with the enclosures")
  mutating func relatedFiles() throws {
    var item = story("a", at: 1)
    try store.deliver([item], at: hour(2))
    store["a"]?.isRead = true
    item.related = [RelatedFile(role: .transcript, url: "https://a.example/a.vtt")]
    let findings = try store.deliver([item], at: hour(3))
    #expect(store["a"]?.item.related == item.related && store["a"]?.isRead == true)
    #expect(store["a"]?.changes.map(\.part) == [.enclosures])
    #expect(findings.updated == 1 && findings.stored == 0)
  }

  @Test("pictures and pages elsewhere are taken up in silence")
  mutating func pictures() throws {
    var item = story("a", at: 1)
    try store.deliver([item], at: hour(2))
    for url in ["https://a.example/1.png", "https://a.example/2.png"] {
      item.related = [
        RelatedFile(role: .external, url: "https://b.example/"),
        RelatedFile(role: .image, url: url),
      ]
      try store.deliver([item], at: hour(3))
      #expect(store["a"]?.item.related == item.related)
      #expect(store["a"]?.changes == [])
    }
  }

  @Test("a picture that an earlier version took for an enclosure is no change")
  mutating func formerEnclosure() throws {
    var item = story("a", at: 1)
    let file = Enclosure(url: "https://a.example/a.mp3", type: "audio/mpeg")
    item.enclosures = [file, Enclosure(url: "https://a.example/1.png")]
    try store.deliver([item], at: hour(2))
    item.enclosures = [file]
    item.related = [RelatedFile(role: .image, url: "https://a.example/1.png")]
    try store.deliver([item], at: hour(3))
    #expect(store["a"]?.item == item && store["a"]?.changes == [])
    item.enclosures = []
    try store.deliver([item], at: hour(4))
    #expect(store["a"]?.changes.map(\.part) == [.enclosures])
  }

  @Test("a story that is known by its summary keeps all of it, and its id")
  mutating func untitled() throws {
    var item = Item(summary: String(repeating: "word ", count: 150) + "end")
    try store.deliver([item], at: hour(2))
    let text = StoryText(isHTML: true, bytes: Array("<p>word</p>".utf8))
    item.textNumber = text.number
    try store.merge([FeedDelivery(feed: feedA, items: [item], texts: [text])], at: hour(3))
    #expect(store.items.count == 1)
    #expect(store.items.first?.item.summary == item.summary)
  }

  @Test("what it was is cut where it is long")
  mutating func longTitles() throws {
    try store.deliver(
      [story("a", at: 1, title: String(repeating: "x", count: 5000))],
      at: hour(2),
    )
    try store.deliver([story("a", at: 1, title: "b")], at: hour(3))
    #expect(store["b"]?.changes.first?.was?.count == StoryChange.maximumCharacters)
  }

  @Test("another feed's story is noted with what they have in common, in one run or in two")
  mutating func joined() throws {
    var byGUID = story("a", at: 1)
    byGUID.guid = "https://a.example/a"
    byGUID.guidIsPermaLink = true
    byGUID.link = "https://b.example/out?to=a"
    var byLink = story("a", at: 1)
    byLink.guid = "b"
    let feedC = "https://c.example/feed"
    try store.merge(
      [
        FeedDelivery(feed: feedA, items: [story("a", at: 1)]),
        FeedDelivery(feed: feedB, items: [byLink]),
      ],
      at: hour(2),
    )
    try store.deliver([byGUID], of: feedC, at: hour(3))
    let expected = [
      StoryMatch(feed: feedB, rule: .link, date: hour(2)),
      StoryMatch(feed: feedC, rule: .guid, date: hour(3)),
    ]
    #expect(store["a"]?.matches == expected)
    try store.deliver([byGUID], of: feedC, at: hour(4))
    #expect(store["a"]?.matches == expected)
  }

  @Test("a story that was renamed is noted with what it was recognised by")
  mutating func renamed() throws {
    let items = ["a", "b", "c", "d"].map { story($0, at: 1) }
    try store.deliver(items, at: hour(2))
    var byLink = items
    for place in byLink.indices { byLink[place].guid = "new \(place)" }
    try store.deliver(byLink, at: hour(3))
    #expect(
      store["a"]?.matches == [StoryMatch(feed: feedA, rule: .link, date: hour(3))]
    )
    var byTitle = byLink
    for place in byTitle.indices {
      byTitle[place].guid = "newer \(place)"
      byTitle[place].link = "https://new.example/\(place)"
    }
    try store.deliver(byTitle, at: hour(4))
    #expect(store["a"]?.matches.map(\.rule) == [.titleAndDate])
    #expect(store["a"]?.changes.map(\.part) == [.link, .guid])
  }

  @Test("the key is found again from the id, also after a rename; not after two")
  mutating func key() throws {
    try store.deliver([story("a", at: 1)], at: hour(2))
    func key(_ store: StoredStories) throws -> StoryKey? {
      StoryKey(of: try #require(store.items.first))
    }
    #expect(try key(store)?.key == .guid("tag:a.example:a"))
    #expect(try key(store)?.isCurrent == true)
    var item = story("a", at: 1)
    item.guid = "second"
    try store.deliver([item], at: hour(3))
    #expect(try key(store)?.key == .guid("tag:a.example:a"))
    #expect(try key(store)?.isCurrent == false)
    item.guid = "third"
    try store.deliver([item], at: hour(4))
    #expect(try key(store) == nil)
  }
}
