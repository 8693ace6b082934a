import FeedModel
import Testing

@testable import FeedUpdating

@Suite("ItemMerge: what feeds in the wild do")
struct MergeScenarioTests {
  private var store = StoredStories()
  private let feedB = "https://b.example/feed"

  // MARK: Dates

  @Test("a story that is always dated an hour ahead stays where it came, and keeps nothing below")
  mutating func alwaysAhead() throws {
    for round in 0..<4 {
      let now = Double(10 + round)
      let ahead = story("ahead", at: now + 1)
      let fresh = story("fresh \(round)", at: now - 0.5)
      let found = try store.deliver([ahead, fresh], at: hour(now))
      #expect(found.news.new.count == (round == 0 ? 2 : 1))
    }
    #expect(store.titles == ["fresh 3", "fresh 2", "fresh 1", "ahead", "fresh 0"])
  }

  @Test("a feed full of stories of next year does not pin itself to the top")
  mutating func nextYear() throws {
    try store.deliver((0..<3).map { story("future \($0)", at: 9000) }, at: hour(1))
    try store.deliver([Item(title: "b", date: hour(2), guid: "b")], of: feedB, at: hour(3))
    #expect(store.titles == ["b", "future 0", "future 1", "future 2"])
  }

  @Test("a story that is re-dated again and again is one, read, and in its new place")
  mutating func redatedOften() throws {
    try store.deliver([story("b", at: 2), story("a", at: 1)], at: hour(3))
    store["a"]?.isRead = true
    for round in 4..<9 {
      let found = try store.deliver(
        [story("a", at: Double(round) - 0.5), story("b", at: 2)],
        at: hour(Double(round)),
      )
      #expect(found.stored == 0 && found.recognised == 2)
    }
    #expect(store.titles == ["a", "b"])
    #expect(store["a"]?.isRead == true && store["a"]?.stored == hour(3))
    #expect(store["a"]?.changes.map(\.part) == [.pubDate])
  }

  @Test("a date that comes, goes and comes again makes no new story")
  mutating func dateGoes() throws {
    for (round, date) in [1.0, nil, 2.0, nil].enumerated() {
      try store.deliver(
        [story("a", at: date), story("b", at: 1.5)],
        at: hour(Double(9 + round)),
      )
    }
    #expect(store.titles == ["a", "b"])
  }

  // MARK: Identity

  @Test("a story that stands in a document often, in whatever order, is one")
  mutating func duplicates() throws {
    var copy = story("a", at: 1)
    copy.summary = "copy"
    let other = story("b", at: 2)
    let items = [story("a", at: 1), other, copy, story("a", at: 1), other]
    #expect(try store.deliver(items, at: hour(3)).stored == 2)
    #expect(try store.deliver(items.reversed(), at: hour(4)).stored == 0)
    #expect(store.titles == ["b", "a"])
  }

  @Test("a guid that is used again beside its first story becomes a story of its own")
  mutating func guidReused() throws {
    func item(_ name: String, _ hours: Double) -> Item {
      var item = story(name, at: hours)
      item.guid = "1"
      return item
    }
    try store.deliver([item("a", 1)], at: hour(2))
    store["a"]?.isRead = true
    let id = try #require(store["a"]?.id)
    #expect(try store.deliver([item("b", 3), item("a", 1)], at: hour(4)).stored == 1)
    #expect(try store.deliver([item("c", 5), item("b", 3)], at: hour(6)).stored == 1)
    #expect(store.titles == ["c", "b", "a"])
    #expect(store["a"]?.id == id && store["a"]?.isRead == true)
    #expect(store.items.count { $0.isRead } == 1)
  }

  @Test("titles that repeat are several stories, as long as something else tells them apart")
  mutating func sameTitles() throws {
    let items = (1...3).map { number in
      Item(
        title: "Open thread",
        link: "https://a.example/\(number)",
        pubDate: "\(number)",
        date: hour(Double(number)),
      )
    }
    #expect(try store.deliver(items, at: hour(4)).stored == 3)
    #expect(try store.deliver(items.reversed(), at: hour(5)).stored == 0)
  }

  // MARK: Vanishing

  @Test("another feed's document at this URL for a while adds its stories, and loses none")
  mutating func strangerForAWhile() throws {
    let items = [story("c", at: 3), story("b", at: 2), story("a", at: 1)]
    try store.deliver(items, at: hour(4))
    let strange = ["x", "y"].map {
      Item(title: $0, link: "https://s.example/\($0)", date: hour(1))
    }
    let found = try store.deliver(strange, at: hour(5))
    #expect(found.isAllNew && found.news.new.count == 2)
    #expect(try store.deliver(items, at: hour(6)).recognised == 3)
    #expect(store.items.count == 5)
  }

  // MARK: Churn

  @Test("all guids renamed, some stories gone, some really new: marks stay, the new are new")
  mutating func churnWithWindow() throws {
    let names = (1...8).map { "story \($0)" }
    try store.deliver(
      names.map { story($0, at: Double($0.suffix(1)) ?? 0) }.reversed(),
      at: hour(9),
    )
    for place in store.items.indices { store.items[place].isRead = true }
    let later = (4...11).reversed().map { number in
      var item = story("story \(number)", at: Double(number))
      item.guid = "https://a.example/?id=\(number)"
      return item
    }
    let found = try store.deliver(later, at: hour(12))
    #expect(found.recognised == 5 && found.stored == 3 && found.news.new.count == 3)
    #expect(store.items.count == 11)
    #expect(store.items.filter { !$0.isRead }.map(\.item.title).count == 3)
  }

  @Test("a feed moves to https with all its guids, and so do the feeds that share its stories")
  mutating func httpsAcrossFeeds() throws {
    func items(_ scheme: String) -> [Item] {
      (1...4).map { number in
        var item = Item(
          title: "\(number)",
          link: "\(scheme)://x.example/\(number)",
          date: hour(Double(number)),
          guid: "\(scheme)://x.example/?p=\(number)",
        )
        item.guidIsPermaLink = true
        return item
      }
    }
    try store.deliver(items("http"), at: hour(5))
    try store.deliver(items("http"), of: feedB, at: hour(5))
    #expect(try store.deliver(items("https"), at: hour(6)).stored == 0)
    #expect(try store.deliver(items("https"), of: feedB, at: hour(6)).stored == 0)
    #expect(store.items.count == 4)
    #expect(store.items.allSatisfy { $0.feeds.count == 2 })
  }
}
