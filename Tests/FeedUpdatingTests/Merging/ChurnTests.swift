import FeedModel
import TestSupport
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

  @Test("all guids and titles are new, the links are not")
  mutating func newGUIDsAndTitles() throws {
    let found = try rename { item, place in
      item.guid = "new-\(place)"
      item.title += ", edited"
      item.date = item.date?.addingTimeInterval(60)
    }
    expectKept(found)
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

  @Test("guids come or go, the links stay")
  mutating func guidsGo() throws {
    let found = try rename { item, _ in item.guid = nil }
    expectKept(found)
    let back = try store.deliver(
      stories { item, place in item.guid = "new" + item.title },
      at: hour(13),
    )
    expectKept(back)
  }

  @Test("with churn, what is really new is new")
  mutating func churnWithNews() throws {
    try store.deliver(stories(), at: hour(10))
    let renamed = stories { item, place in item.guid = "new-\(place)" }
    let found = try store.deliver([story("e", at: 11)] + renamed, at: hour(12))
    #expect(found.stored == 1)
    #expect(found.news.new.count == 1)
    #expect(store.titles == ["e", "a", "b", "c", "d"])
  }

  @Test("the rename is taken back")
  mutating func backAgain() throws {
    _ = try rename { item, place in item.guid = "new-\(place)" }
    let ids = store.items.map(\.id)
    let found = try store.deliver(stories(), at: hour(13))
    expectKept(found)
    #expect(store.items.map(\.id) == ids)
  }

  @Test("one story gets another guid: the same, when title or date agree")
  mutating func oneRenamed() throws {
    try store.deliver(stories(), at: hour(11))
    let found = try store.deliver(
      stories { item, place in if place == 1 { item.guid = "new" } },
      at: hour(12),
    )
    #expect(found.stored == 0)
  }

  @Test("a story is edited again and again, and its guid, title and date change: one, and read")
  mutating func edited() throws {
    func delivered(_ edits: Int) -> [Item] {
      stories { item, place in
        guard place == 0 else { return }
        item.guid = "https://a.example/a#\(edits)"
        if edits > 0 { item.title = "a, edit \(edits)" }
        item.date = hour(10 + Double(edits))
      }
    }
    try store.deliver(delivered(0), at: hour(11))
    let id = store.items[0].id
    store["a"]?.isRead = true
    for edits in 1...3 {
      let found = try store.deliver(delivered(edits), at: hour(11 + Double(edits)))
      #expect(found.stored == 0 && found.news.new.isEmpty)
    }
    #expect(store.titles == ["a, edit 3", "b", "c", "d"])
    #expect(store.items[0].id == id && store.items[0].isRead)
    #expect(store.items[0].stored == hour(11))
    #expect(try store.deliver(delivered(1), at: hour(15)).stored == 0, "the edit is taken back")
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

  @Test("pairs that are not one to one are not made")
  mutating func ambiguous() throws {
    let page = "https://a.example/page"
    let old = names.map { Item(title: "same", link: page, date: hour(1), guid: $0) }
    try store.deliver(old, at: hour(2))
    let new = names.map { Item(title: "same", link: page, date: hour(1), guid: "new-" + $0) }
    #expect(try store.deliver(new, at: hour(3)).stored == 4)
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

  @Test("a part of a document proves no churn")
  mutating func truncated() throws {
    try store.deliver(stories(), at: hour(11))
    var renamed = stories()
    renamed[3].guid = "new"
    let found = try store.deliver(
      [renamed[0], renamed[3]],
      isComplete: false,
      at: hour(12),
    )
    #expect(found.recognised == 1)
    #expect(found.stored == 1)
  }
}
