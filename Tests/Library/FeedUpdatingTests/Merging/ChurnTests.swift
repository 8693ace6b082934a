import FeedModel
import Testing

@testable import FeedUpdating

@Suite("Churn: feeds that rename their stories")
struct ChurnTests {
  private var store = StoredStories()
  private let names = ["a", "b", "c", "d"]

  private func stories(_ change: (inout Item, Int) -> Void = { _, _ in }) -> [Item] {
    names.enumerated().map { place, name in
      var item = story(name, at: Double(10 - place))
      change(&item, place)
      return item
    }
  }

  /// Delivers four stories, has all read and the first starred, and delivers changed copies.
  private mutating func rename(_ change: (inout Item, Int) -> Void) throws -> FeedFindings {
    try store.deliver(stories(), at: hour(11))
    for name in names { store[name]?.isRead = true }
    store["a"]?.isStarred = true
    return try store.deliver(stories(change), at: hour(12))
  }

  private mutating func expectKept(_ found: FeedFindings) {
    #expect(found.stored == 0)
    #expect(found.recognised == 4)
    #expect(store.items.count == 4)
    #expect(store.items.allSatisfy { $0.isRead && $0.stored == hour(11) })
    #expect(store.items.count { $0.isStarred } == 1)
    #expect(store.items.first?.isStarred == true)
  }

  @Test("all guids are new, the links are not")
  mutating func newGUIDs() throws {
    let found = try rename { item, place in item.guid = "new-\(place)" }
    expectKept(found)
    #expect(store.items.first?.item.guid == "new-0")
  }

  @Test("a move to https")
  mutating func https() throws {
    try store.deliver(
      stories { item, _ in
        item.link = "http" + item.link.dropFirst(5)
        item.guid = item.link
      },
      at: hour(11),
    )
    let found = try store.deliver(
      stories { item, _ in item.guid = item.link },
      at: hour(12),
    )
    #expect(found.stored == 0)
    #expect(store.items.count == 4)
  }

  @Test("a new engine: guids, links and the spelling of dates are new")
  mutating func newEngine() throws {
    let found = try rename { item, place in
      item.guid = "urn:uuid:\(place)"
      item.link = "https://blog.example/2024/\(item.title)/"
      item.pubDate = "2024-06-01 (\(place))"
    }
    expectKept(found)
  }

  @Test("the rename is taken back")
  mutating func backAgain() throws {
    _ = try rename { item, place in item.guid = "new-\(place)" }
    let ids = store.items.map(\.id)
    let found = try store.deliver(stories(), at: hour(13))
    expectKept(found)
    #expect(store.items.map(\.id) == ids)
  }

  @Test("what an earlier version has stored twice stays two, and nothing comes again")
  mutating func storedTwice() throws {
    let edited = { (edits: Int) in
      Item(
        title: "edit \(edits)",
        link: "https://a.example/x",
        date: hour(Double(edits)),
        guid: "https://a.example/x#\(edits)",
      )
    }
    try store.deliver(stories() + [edited(0)], at: hour(11))
    try store.deliver(stories() + [edited(1), edited(0)], at: hour(12))
    let ids = store.items.map(\.id).sorted()
    #expect(ids.count == 6)
    #expect(try store.deliver(stories() + [edited(1)], at: hour(13)).stored == 0)
    #expect(store.items.map(\.id).sorted() == ids)
  }

  @Test("one guid for whatever is newest: each another story, and each known again")
  mutating func reusedGUID() throws {
    func latest(_ number: Int, _ words: String = "") -> Item {
      Item(
        title: "Nr. \(number)\(words)",
        link: "https://a.example/\(number)",
        date: hour(Double(number)),
        guid: "latest",
      )
    }
    for number in 1...4 {
      let now = hour(Double(number) + 0.5)
      #expect(try store.deliver([latest(number)], keep: 2, at: now).news.new.count == 1)
      for index in store.items.indices { store.items[index].isRead = true }
      #expect(try store.deliver([latest(number)], keep: 2, at: now).stored == 0)
      #expect(try store.deliver([latest(number, "!")], keep: 2, at: now).stored == 0)
    }
    #expect(store.titles == ["Nr. 4!", "Nr. 3!", "Nr. 2!"])
    #expect(Set(store.items.map(\.id)).count == 3)
    #expect(store.items.allSatisfy { $0.isRead })
    let back = try store.deliver([latest(1)], keep: 2, at: hour(6))
    #expect(back.stored == 1 && back.news.new.isEmpty, "retention dropped it once")
  }

  @Test("a web comic: each story links to the front page, only the guid is another")
  mutating func webComic() throws {
    func comic(_ number: Int) -> Item {
      Item(
        title: "Nr. \(number)",
        link: "https://comic.example/today",
        date: hour(Double(number)),
        guid: "comic-\(number)",
      )
    }
    try store.deliver([comic(1)], at: hour(2))
    #expect(try store.deliver([comic(2)], at: hour(3)).stored == 1)
    #expect(try store.deliver([comic(3), comic(2)], at: hour(4)).stored == 1)
    #expect(store.titles == ["Nr. 3", "Nr. 2", "Nr. 1"])
  }

  @Test("a known feed that delivers everything as new says so")
  mutating func allNew() throws {
    try store.deliver(stories(), at: hour(11))
    let items = ["p", "q", "r"].enumerated().map { story($1, at: Double(9 + 2 * $0)) }
    let found = try store.deliver(items, at: hour(14))
    #expect(found.isAllNew)
    #expect(found.stored == 3)
    #expect(found.news.new.count == 3)
  }
}
