import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FeedLibrary
@testable import FeedUpdating

@Suite("ItemMerge, properties over generated feeds")
struct MergePropertyTests {
  private static let feeds = (0..<4).map { "https://\($0).example/feed" }

  /// Returns one of few stories, so that feeds share and repeat them; each feed has its kind of
  /// guid.
  private func item(_ number: Int, of feed: Int, _ random: inout Chance) -> Item {
    var item = Item(title: "story \(number)")
    switch feed {
    case 0: item.guid = "tag:\(number)"
    case 1: item.guid = "https://x.example/\(number)"
    case 2: item.guid = "\(number)"
    default: item.guid = nil
    }
    if feed != 0 || number.isMultiple(of: 2) {
      item.link = "https://x.example/\(number)?utm_source=\(feed)"
    }
    if number.isMultiple(of: 3) {
      item.date = hour(Double(number) - 5)
      item.pubDate = "\(number)"
    }
    if Int.random(in: 0..<6, using: &random) == 0 { item.title = "edited \(number)" }
    return item
  }

  private func deliveries(_ random: inout Chance) -> [FeedDelivery] {
    [0, 1, 2, 3].shuffled(using: &random).prefix(3).map { feed in
      let numbers = (0..<30).shuffled(using: &random).prefix(
        Int.random(in: 0..<12, using: &random)
      )
      return FeedDelivery(
        feed: Self.feeds[feed],
        items: numbers.map { item($0, of: feed, &random) },
        isComplete: Bool.random(using: &random),
      )
    }
  }

  @Test("the second time changes nothing, in whatever order", arguments: 0..<150 as Range<UInt64>)
  func idempotent(seed: UInt64) throws {
    var random = Chance(state: seed)
    var store = StoredStories()
    for round in 0..<6 {
      let now = hour(Double(round * 4))
      let deliveries = deliveries(&random)
      let found = try store.merge(deliveries, keep: 5, at: now).findings
      try checkInvariants(of: store, at: now, isOrdered: found.contains { $0.stored > 0 })
      let before = store.items
      let again = try store.merge(deliveries.shuffled(using: &random), keep: 5, at: now)
      let isUnchanged = again.changes.isEmpty && store.items == before
      #expect(isUnchanged, "seed \(seed), round \(round)")
      guard isUnchanged else { return }
    }
  }

  @Test(
    "the order of the deliveries decides nothing but the owners",
    arguments: 0..<100 as Range<UInt64>,
  )
  func anyOrder(seed: UInt64) throws {
    var random = Chance(state: seed &+ 10_000)
    let deliveries = deliveries(&random)
    var first = StoredStories()
    var second = StoredStories()
    try first.merge(deliveries, at: hour(9))
    try second.merge(deliveries.reversed(), at: hour(9))
    #expect(first.items.count == second.items.count)
    func feeds(_ store: StoredStories) -> [Set<String>: Int] {
      Dictionary(store.items.map { (Set($0.feeds), 1) }, uniquingKeysWith: +)
    }
    #expect(feeds(first) == feeds(second))
  }

  @Test(
    "nothing is lost: without retention, each merge keeps all ids",
    arguments: 0..<100 as Range<UInt64>,
  )
  func nothingLost(seed: UInt64) throws {
    var random = Chance(state: seed &+ 20_000)
    var store = StoredStories()
    var marks: [String: Bool] = [:]
    for round in 0..<6 {
      let delivered = deliveries(&random)
      let before = Set(store.items.map(\.id))
      let found = try store.merge(delivered, keep: 0, at: hour(Double(round * 4))).findings
      let stored = found.map(\.stored).reduce(0, +)
      #expect(store.items.count == before.count + stored)
      #expect(Set(store.items.map(\.id)).isSuperset(of: before))
      #expect(store.items.allSatisfy { $0.isStarred == marks[$0.id] ?? false })
      for place in store.items.indices {
        let isStarred = Bool.random(using: &random)
        store.items[place].isStarred = isStarred
        marks[store.items[place].id] = isStarred
      }
    }
  }

  @Test(
    "what is decided over the data file is what is decided over the stories themselves",
    arguments: 0..<40 as Range<UInt64>,
  )
  func sameOverFile(seed: UInt64) throws {
    var random = Chance(state: seed &+ 30_000)
    let bench = try RefreshBench()
    var stories = StoredStories()
    for round in 0..<6 {
      let now = hour(Double(round * 4))
      let deliveries = deliveries(&random)
      let remembered = stories.remembered(deliveries, keep: 5)
      let found = try bench.store.update { (library) in
        var merge = ItemMerge(library.items, now: now)
        let found = try merge.deliver(remembered)
        var changes = try merge.changes()
        changes.made = MadeStories(merge.insertions.story)
        return (LibraryChange(changes), found)
      }
      #expect(found == (try stories.merge(deliveries, keep: 5, at: now).findings))
      let table = try bench.store.read().items
      #expect(try (0..<table.count).map { try table.item(at: $0) } == stories.items)
    }
  }

  private func checkInvariants(of store: StoredStories, at now: Date, isOrdered: Bool) throws {
    #expect(Set(store.items.map(\.id)).count == store.items.count)
    #expect(store.items.allSatisfy { !$0.feeds.isEmpty && Set($0.feeds).count == $0.feeds.count })
    let instants = store.items.map {
      StoryTime.sortInstant(date: $0.item.date, stored: $0.stored, now: now)
    }
    #expect(!isOrdered || zip(instants, instants.dropFirst()).allSatisfy { $0 >= $1 })
  }
}
