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

  /// Delivers four stories, the first of them starred, the rest read; then what has become of them.
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
