import FeedModel
import FeedStorage
import Testing

@testable import FeedUpdating

@Suite("Retention")
struct RetentionTests {
  private var store = StoredStories()

  private func stories(_ numbers: ClosedRange<Int>) -> [Item] {
    numbers.reversed().map { story("\($0)", at: Double($0)) }
  }

  private mutating func markAllRead() {
    for place in store.items.indices { store.items[place].isRead = true }
  }

  @Test(
    "what is beyond the newest goes from its end, what was read before what was not",
    arguments: [
      ([0, 2, 4], [1, 3], 5, []), ([0, 2, 4], [1, 3], 4, [4]), ([0, 2, 4], [1, 3], 3, [2, 4]),
      ([0, 2, 4], [1, 3], 1, [0, 2, 4, 3]), ([], [1, 3], 1, [3]), ([0, 2], [], 1, [2]),
      ([], [], 1, []),
    ],
  )
  func dropped(_ read: [Int], _ unread: [Int], _ keep: Int, _ expected: [Int]) {
    #expect(Retention.evicted(read: read, unread: unread, keep: keep) == expected)
  }

  @Test("those still carried are kept, however many and however old")
  mutating func carried() throws {
    try store.deliver(stories(1...6), keep: 1, at: hour(9))
    try store.deliver(stories(1...6), keep: 1, at: hour(10))
    #expect(store.items.count == 6)
  }

  @Test("0 keeps all")
  mutating func all() throws {
    try store.deliver(stories(1...6), keep: 0, at: hour(9))
    try store.deliver(stories(6...6), keep: 0, at: hour(10))
    #expect(store.items.count == 6)
  }

  @Test("starred ones are never dropped, and unread ones last")
  mutating func starredAndUnread() throws {
    try store.deliver(stories(1...6), at: hour(9))
    markAllRead()
    store["1"]?.isStarred = true
    store["2"]?.isRead = false
    store["3"]?.isRead = false
    try store.deliver(stories(6...6), keep: 2, at: hour(10))
    #expect(store.titles == ["6", "3", "2", "1"])
    try store.deliver(stories(6...6), keep: 1, at: hour(11))
    #expect(store.titles == ["6", "3", "1"])
  }

  @Test("a part of a document makes nothing vanish")
  mutating func truncated() throws {
    try store.deliver(stories(1...6), at: hour(9))
    try store.deliver(stories(6...6), isComplete: false, keep: 1, at: hour(10))
    #expect(store.items.count == 6)
  }

  @Test("what was dropped and comes again is read, and no news")
  mutating func comesAgain() throws {
    try store.deliver(stories(1...6), at: hour(9))
    try store.deliver(stories(6...6), keep: 1, at: hour(10))
    #expect(store.titles == ["6", "5"])
    let found = try store.deliver(stories(1...7), keep: 1, at: hour(11))
    #expect(found.stored == 5)
    #expect(found.news.new.count == 1)
    #expect(store.items.filter(\.isRead).map(\.item.title) == ["4", "3", "2", "1"])
    #expect(found.evicted.isEmpty)
  }

  @Test("a story of two feeds is dropped when neither carries it")
  mutating func severalFeeds() throws {
    let feedB = "https://b.example/feed"
    try store.deliver(stories(1...3), keep: 1, at: hour(9))
    try store.deliver(stories(1...3), of: feedB, keep: 1, at: hour(9))
    try store.deliver(stories(3...3), keep: 1, at: hour(10))
    #expect(store.items.count == 3)
    #expect(store["1"]?.feeds == [feedB])
    try store.deliver(stories(3...3), of: feedB, keep: 1, at: hour(11))
    #expect(store.titles == ["3", "2"])
    #expect(try store.deliver(stories(1...3), keep: 1, at: hour(12)).news.new.isEmpty)
    #expect(store["1"]?.isRead == true)
  }

  @Test("other feeds' stories are not counted and not dropped")
  mutating func otherFeeds() throws {
    let others = (1...5).map { Item(title: "b\($0)", guid: "b\($0)") }
    try store.deliver(others, of: "https://b.example/feed", at: hour(8))
    try store.deliver(stories(1...3), at: hour(9))
    try store.deliver(stories(3...3), keep: 1, at: hour(10))
    #expect(store.items.count == 7)
  }
}

@Suite("Subscriptions and their stories")
struct SubscriptionStoriesTests {
  private var store = StoredStories()
  private let feedA = "https://a.example/feed"
  private let feedB = "https://b.example/feed"

  private mutating func fill() throws {
    try store.deliver(
      [story("shared", at: 3), story("own", at: 2), story("star", at: 1)],
      at: hour(4),
    )
    try store.deliver([story("shared", at: 3)], of: feedB, at: hour(4))
    store["star"]?.isStarred = true
  }

  @Test("who subscribes again finds what is starred, once")
  mutating func resubscribe() throws {
    try fill()
    // `news unsubscribe` leaves such stories.
    store.items.removeAll { $0.item.title == "own" }
    store["shared"]?.feeds = [feedB]
    let items = [story("shared", at: 3), story("own", at: 2), story("star", at: 1)]
    #expect(try store.deliver(items, at: hour(6)).stored == 1)
    #expect(store.titles == ["shared", "own", "star"])
    #expect(store["shared"]?.feeds == [feedA, feedB])
  }

  @Test("a moved feed keeps its stories, which are still recognised")
  mutating func move() throws {
    try fill()
    var merge = ItemMerge(try ItemTable(store.items), now: hour(5))
    try merge.move([(feedA, "https://new.example/feed")])
    try store.apply(merge.changes(), with: merge.insertions)
    #expect(store["shared"]?.feeds == ["https://new.example/feed", feedB])
    let items = [story("news", at: 5), story("shared", at: 3), story("own", at: 2)]
    let found = try store.deliver(items, of: "https://new.example/feed", at: hour(6))
    #expect(found.recognised == 2)
    #expect(store.titles == ["news", "shared", "own", "star"])
  }

  @Test("a feed that moves to where another one is leaves each story once in it")
  mutating func moveOnto() throws {
    try fill()
    var merge = ItemMerge(try ItemTable(store.items), now: hour(5))
    try merge.move([(feedA, feedB)])
    try store.apply(merge.changes(), with: merge.insertions)
    #expect(store.items.allSatisfy { $0.feeds == [feedB] })
  }

  @Test("of several moves at once each takes along what was there before it")
  mutating func moveSeveral() throws {
    try fill()
    var merge = ItemMerge(try ItemTable(store.items), now: hour(5))
    try merge.move([(feedA, "https://a.example/1"), (feedB, feedA)])
    try store.apply(merge.changes(), with: merge.insertions)
    #expect(store["shared"]?.feeds == ["https://a.example/1", feedA])
    #expect(store["own"]?.feeds == ["https://a.example/1"])
  }

  @Test("a feed that moves to one that moves on goes with it")
  mutating func moveOn() throws {
    try fill()
    var merge = ItemMerge(try ItemTable(store.items), now: hour(5))
    _ = try merge.deliver([FeedDelivery(feed: feedA, items: [story("a", at: 4)])])
    try merge.move([(feedA, feedB), (feedB, "https://b.example/1")])
    try store.apply(merge.changes(), with: merge.insertions)
    #expect(store.items.count == 4)
    #expect(store.items.allSatisfy { $0.feeds == ["https://b.example/1"] })
  }

  @Test("a move also takes along what the same merge adds")
  mutating func moveNew() throws {
    var merge = ItemMerge(try ItemTable(store.items), now: hour(5))
    _ = try merge.deliver([FeedDelivery(feed: feedA, items: [story("a", at: 1)])])
    try merge.move([(feedA, feedB)])
    try store.apply(merge.changes(), with: merge.insertions)
    #expect(store["a"]?.feeds == [feedB])
  }
}
