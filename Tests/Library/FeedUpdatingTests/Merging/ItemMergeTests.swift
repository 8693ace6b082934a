import FeedModel
import FeedStorage
import Testing

@testable import FeedUpdating

@Suite("ItemMerge")
struct ItemMergeTests {
  private var store = StoredStories()
  private let feedB = "https://b.example/feed"

  // MARK: Storing

  @Test("the first delivery stores everything, newest first")
  mutating func first() throws {
    let found = try store.deliver(
      [story("a", at: 1), story("b", at: 3), story("c", at: 2)],
      at: hour(9),
    )
    #expect(store.titles == ["b", "c", "a"])
    #expect(found.stored == 3)
    #expect(found.news.new.count == 3)
    #expect(!found.hadStories)
    #expect(store.items.allSatisfy { $0.stored == hour(9) && !$0.isRead && !$0.isStarred })
    #expect(store.items.allSatisfy { $0.feeds == ["https://a.example/feed"] })
    #expect(Set(store.items.map(\.id)).count == 3)
  }

  @Test("new stories go on top of what is kept as it is")
  mutating func newOnTop() throws {
    try store.deliver([story("b", at: 2), story("a", at: 1)], at: hour(3))
    let delivery = FeedDelivery(
      feed: "https://a.example/feed",
      items: [story("c", at: 4), story("b", at: 2), story("a", at: 1)],
    )
    let merged = try store.merge([delivery], at: hour(5))
    #expect(merged.changes.replaced.isEmpty && merged.changes.removed.isEmpty)
    #expect(store.titles == ["c", "b", "a"])
    #expect(merged.findings[0].news.new.count == 1)
  }

  @Test("a story with a date between those of others is stored in its place")
  mutating func backDated() throws {
    try store.deliver([story("c", at: 3), story("a", at: 1)], at: hour(4))
    let found = try store.deliver(
      [story("c", at: 3), story("b", at: 2), story("a", at: 1)],
      at: hour(5),
    )
    #expect(store.titles == ["c", "b", "a"])
    #expect(found.stored == 1)
    #expect(found.news.new.count == 1)
  }

  @Test("new content keeps id, marks and the time of storing")
  mutating func update() throws {
    try store.deliver([story("b", at: 2), story("a", at: 1)], at: hour(3))
    store["a"]?.isRead = true
    store["a"]?.isStarred = true
    let before = try #require(store["a"])
    var edited = story("a", at: 1, title: "a, corrected")
    edited.summary = "More is known."
    let found = try store.deliver([story("b", at: 2), edited], at: hour(5))
    let after = try #require(store["a, corrected"])
    #expect(found.updated == 1)
    #expect(found.stored == 0)
    #expect(after.item == edited)
    #expect(after.id == before.id && after.stored == before.stored)
    #expect(after.isRead && after.isStarred)
    #expect(store.titles == ["b", "a, corrected"])
  }

  @Test("a re-dated story is the same one, in its new place")
  mutating func redated() throws {
    try store.deliver([story("b", at: 2), story("a", at: 1)], at: hour(3))
    let found = try store.deliver([story("a", at: 2.5), story("b", at: 2)], at: hour(4))
    #expect(store.titles == ["a", "b"])
    #expect(found.stored == 0)
    #expect(found.updated == 1)
  }

  @Test("of a story that a document has twice the first counts")
  mutating func twice() throws {
    let found = try store.deliver(
      [story("a", at: 1, title: "one"), story("a", at: 1, title: "two")],
      at: hour(3),
    )
    #expect(store.titles == ["one"])
    #expect(found.stored == 1)
  }

  @Test("an item without anything to read is no story")
  mutating func empty() throws {
    let found = try store.deliver([Item(), Item(title: "a")], at: hour(3))
    #expect(store.titles == ["a"])
    #expect(found.stored == 1)
  }

  // MARK: Identity

  @Test("one guid for several stories: their links tell them apart, also when one of them is left")
  mutating func sharedGUID() throws {
    let items = ["a", "b", "c"].enumerated().map { place, name in
      var item = story(name, at: Double(place))
      item.guid = "1"
      return item
    }
    try store.deliver(items, at: hour(5))
    let ids = Set(store.items.map(\.id))
    let found = try store.deliver([items[1]], at: hour(6))
    #expect(found.recognised == 1)
    var fresh = story("d", at: 5.5)
    fresh.guid = "1"
    #expect(try store.deliver([fresh], at: hour(7)).stored == 1)
    #expect(store.titles == ["d", "c", "b", "a"])
    #expect(Set(store.items.map(\.id)).isSuperset(of: ids))
    #expect(Set(store.items.map(\.id)).count == 4)
  }

  @Test("a feed of one story that always has the same guid updates it")
  mutating func constantGUID() throws {
    var item = story("a", at: 1)
    item.guid = "latest"
    try store.deliver([item], at: hour(2))
    item.title = "b"
    item.link = "https://a.example/b"
    #expect(try store.deliver([item], at: hour(3)).updated == 1)
    #expect(store.titles == ["b"])
  }

  @Test("with neither guid nor link, title and date as published decide")
  mutating func titleAndDate() throws {
    try store.deliver([Item(title: "a", pubDate: "1 June")], at: hour(2))
    #expect(try store.deliver([Item(title: "a", pubDate: "1 June")], at: hour(3)).stored == 0)
    #expect(try store.deliver([Item(title: "a", pubDate: "2 June")], at: hour(4)).stored == 1)
  }

  @Test("an id that another story has is not given again")
  mutating func idTaken() throws {
    try store.deliver([story("a", at: 1)], at: hour(2))
    // After churn a story keeps its id, and has another guid and link.
    store["a"]?.item.guid = "elsewhere"
    store["a"]?.item.link = "https://a.example/elsewhere"
    store["a"]?.feeds = [feedB]
    store["a"]?.item.title = "b"
    #expect(try store.deliver([story("a", at: 2)], at: hour(3)).stored == 1)
    #expect(Set(store.items.map(\.id)).count == 2)
    #expect(try store.deliver([story("a", at: 2)], at: hour(4)).stored == 0)
  }

  // MARK: Order

  @Test("undated and future stories count as of when they were stored")
  mutating func undated() throws {
    try store.deliver([story("old", at: 1)], at: hour(2))
    try store.deliver(
      [story("undated"), story("future", at: 90), story("old", at: 1)],
      at: hour(3),
    )
    try store.deliver([story("next", at: 4), story("old", at: 1)], at: hour(5))
    #expect(store.titles == ["next", "undated", "future", "old"])
  }

  @Test("a story whose date was in the future moves there when it has come, with the next change")
  mutating func futureComes() throws {
    try store.deliver([story("future", at: 8), story("a", at: 1)], at: hour(2))
    try store.deliver(
      [story("b", at: 5), story("future", at: 8), story("a", at: 1)],
      at: hour(6),
    )
    #expect(store.titles == ["b", "future", "a"])
    try store.deliver([story("c", at: 7), story("future", at: 8)], at: hour(9))
    #expect(store.titles == ["future", "c", "b", "a"])
  }

  @Test("equal ones keep their document order, also with those that were stored before")
  mutating func equal() throws {
    try store.deliver([story("b", at: 1), story("d", at: 1)], at: hour(2))
    let all = ["a", "b", "c", "d", "e"].map { story($0, at: 1) }
    try store.deliver(all, at: hour(3))
    #expect(store.titles == ["a", "b", "c", "d", "e"])
  }

  @Test("a data file that someone put into another order is put right with the next change")
  mutating func disorder() throws {
    try store.deliver((1...5).map { story("\($0)", at: Double($0)) }, at: hour(6))
    store.items.reverse()
    try store.deliver([story("6", at: 6)], at: hour(7))
    #expect(store.titles == ["6", "5", "4", "3", "2", "1"])
  }

  // MARK: Several feeds

  @Test("a feed cannot change what another one brought")
  mutating func foreign() throws {
    try store.deliver([story("a", at: 1)], at: hour(2))
    let before = try #require(store["a"]).item
    var forged = story("a", at: 1, title: "forged")
    forged.summary = "Buy this."
    try store.deliver([forged], of: feedB, at: hour(3))
    try store.deliver([forged], of: feedB, at: hour(4))
    #expect(store["a"]?.item == before)
    #expect(store.items.count == 1)
  }

  @Test("a feed whose stories all link to one page joins none of them to another feed's")
  mutating func frontPage() throws {
    let page = "https://b.example/page"
    try store.deliver([Item(title: "x", link: page, guid: "x")], at: hour(2))
    let items = ["y", "z"].map { Item(title: $0, link: page, guid: $0) }
    #expect(try store.deliver(items, of: feedB, at: hour(3)).stored == 2)
  }

  @Test("the same guid in two feeds is two stories")
  mutating func sameGUID() throws {
    try store.deliver([Item(title: "a", guid: "1")], at: hour(2))
    #expect(try store.deliver([Item(title: "b", guid: "1")], of: feedB, at: hour(3)).stored == 1)
    #expect(Set(store.items.map(\.id)).count == 2)
  }
}
