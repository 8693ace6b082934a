import FeedModel
import FeedStorage
import Testing

@testable import FeedLibrary
@testable import FeedUpdating

@Suite("ItemMerge: the words of a story are those of the feed of its site")
struct StoryWordsMergeTests {
  private var store = StoredStories()
  private let good = "https://a.example/feed"
  private let evil = "https://evil.example/feed"
  private let planet = "https://planet.example/feed"

  /// A story that another feed says is at `story("9")`'s link.
  private func claimed(_ title: String, at hours: Double = 1, guid: String = "e9") -> Item {
    var item = story("9", at: hours, title: title)
    (item.guid, item.summary) = (guid, "Send money")
    return item
  }

  // MARK: The own feed comes later

  @Test("the own feed's words replace the others', and the story is unread and new")
  mutating func own() throws {
    try store.deliver([claimed("Evil")], of: evil, at: hour(2))
    (store.items[0].isRead, store.items[0].isStarred) = (true, true)
    (store.items[0].tags, store.items[0].note) = (["tag"], "note")
    let merged = try store.merge(
      [FeedDelivery(feed: good, items: [story("9", at: 1)])],
      at: hour(3),
    )
    let found = merged.findings[0]
    #expect(found.news.outcome == .newData && found.news.new.count == 1 && found.stored == 1)
    let after = try #require(store["9"])
    #expect(store.items.count == 1 && after.item == story("9", at: 1))
    // The id is that of any home which never saw the false words.
    #expect(after.id == ItemID.id(feed: good, key: .guid("tag:a.example:9")))
    #expect(after.feeds == [good, evil] && !after.isRead && after.isStarred)
    #expect(after.tags == ["tag"] && after.note == "note" && after.stored == hour(3))
    #expect(after.matches == [StoryMatch(feed: evil, rule: .link, date: hour(3))])
  }

  @Test("neither feed changes anything when both come again, whichever is first")
  mutating func stays() throws {
    try store.deliver([claimed("Evil")], of: evil, at: hour(2))
    try store.deliver([story("9", at: 1)], at: hour(3))
    store.items[0].isRead = true
    let before = store.items
    let both = [
      FeedDelivery(feed: evil, items: [claimed("Evil again")]),
      FeedDelivery(feed: good, items: [story("9", at: 1)]),
    ]
    for deliveries in [both, both.reversed()] {
      let merged = try store.merge(deliveries, at: hour(4))
      #expect(merged.changes.isEmpty && store.items == before)
      #expect(merged.findings.allSatisfy { $0.news.outcome == .noData })
    }
  }

  @Test("what was read in the very words of the own feed stays read, and is not new")
  mutating func equalWords() throws {
    var same = story("9", at: 1)
    same.guid = "copy"
    try store.deliver([same], of: evil, at: hour(2))
    store.items[0].isRead = true
    #expect(try store.deliver([story("9", at: 1)], at: hour(3)).news.outcome == .noData)
    #expect(store.items[0].isRead && store.items[0].feeds == [good, evil])
  }

  @Test("in one run the order of the feeds does not matter", arguments: [false, true])
  mutating func oneRun(_ isReversed: Bool) throws {
    let all = [
      FeedDelivery(feed: evil, items: [claimed("Evil"), Item(title: "x", guid: "x")]),
      FeedDelivery(feed: good, items: [story("8", at: 0.5), story("9", at: 1.5)]),
    ]
    let deliveries = isReversed ? all.reversed() : all
    let found = try store.merge(deliveries, at: hour(3)).findings
    #expect(found.map(\.news.new.count).reduce(0, +) == 3)
    #expect(found.map(\.stored).reduce(0, +) == 3)
    #expect(store.titles == ["x", "9", "8"])
    #expect(store["9"]?.feeds == [good, evil] && store["9"]?.item == story("9", at: 1.5))
    #expect(store["9"]?.id == ItemID.id(feed: good, key: .guid("tag:a.example:9")))
    #expect(store["9"]?.matches.map(\.feed) == [evil])
    #expect(try store.merge(deliveries, at: hour(4)).changes.isEmpty)
  }

  @Test("a re-dated one takes its place by the own feed's date")
  mutating func redated() throws {
    try store.deliver([story("a", at: 2)], at: hour(3))
    try store.deliver([claimed("Evil", at: 2.5)], of: evil, at: hour(3))
    try store.deliver([story("9", at: 1), story("a", at: 2)], at: hour(4))
    #expect(store.titles == ["a", "9"])
  }

  @Test("a permanent guid is a link as well, whatever link stands beside it")
  mutating func guid() throws {
    var item = Item(title: "Evil", link: "https://evil.example/x", guid: "https://a.example/9")
    item.guidIsPermaLink = true
    try store.deliver([item], of: evil, at: hour(2))
    #expect(try store.deliver([story("9", at: 1)], at: hour(3)).news.new.count == 1)
    #expect(store.titles == ["9"] && store.items[0].item.link == "https://a.example/9")
    #expect(try store.deliver([item], of: evil, at: hour(4)).updated == 0)
    #expect(store.titles == ["9"])
  }

  // MARK: No feed of the site

  @Test("feeds of other sites share what they agree on, and have their own where they do not")
  mutating func nobodys() throws {
    try store.deliver([claimed("Nine")], of: evil, at: hour(2))
    #expect(try store.deliver([claimed("NINE")], of: planet, at: hour(3)).stored == 0)
    let third = "https://third.example/feed"
    let found = try store.deliver([claimed("Another", guid: "t9")], of: third, at: hour(4))
    #expect(found.news.new.count == 1)
    #expect(store.items.map(\.feeds).sorted { $0.count < $1.count } == [[third], [evil, planet]])
    // The id is made of the feed's own URL.
    #expect(store["Another"]?.id == ItemID.id(feed: third, key: .guid("t9")))
    #expect(Set(store.items.map(\.id)).count == 2)
  }

  @Test("a feed that shares a story cannot change the words on which they agreed")
  mutating func agreed() throws {
    try store.deliver([claimed("Nine")], of: evil, at: hour(2))
    try store.deliver([claimed("Nine", guid: "p9")], of: planet, at: hour(3))
    #expect(try store.deliver([claimed("Evil")], of: evil, at: hour(4)).updated == 0)
    #expect(store.titles == ["Nine"])
  }

  @Test("two feeds of the site have one story, whose words the first of them has")
  mutating func twoOwn() throws {
    let atom = "https://a.example/atom"
    try store.deliver([story("9", at: 1)], at: hour(2))
    for round in 3..<6 {
      let other = [claimed("9 in Atom", guid: "atom-9")]
      #expect(try store.deliver(other, of: atom, at: hour(Double(round))).updated == 0)
      #expect(try store.deliver([story("9", at: 1)], at: hour(Double(round))).updated == 0)
    }
    #expect(store.titles == ["9"] && store.items[0].feeds == [good, atom])
  }

  // MARK: One feed takes nothing from another

  @Test(
    "a story that rules for one feed have marked read is unread in another",
    arguments: [false, true],
  )
  mutating func ruled(_ isOneRun: Bool) throws {
    let muted = evil
    func merge(_ deliveries: [FeedDelivery], at now: Double) throws {
      var merge = ItemMerge(try ItemTable(store.items), now: hour(now)) { story in
        var effect = StoryEffect()
        if story.feed == muted { effect.add([.read], of: "mute") }
        return effect
      }
      _ = try merge.deliver(deliveries)
      try store.apply(try merge.changes(), with: merge.insertions)
    }
    let one = FeedDelivery(feed: evil, items: [claimed("Nine")])
    let other = FeedDelivery(feed: planet, items: [claimed("Nine", guid: "p9")])
    if isOneRun {
      try merge([one, other], at: 2)
    } else {
      try merge([one], at: 2)
      #expect(store.items[0].isRead)
      try merge([other], at: 3)
    }
    #expect(store.items.count == 1 && !store.items[0].isRead)
  }

  @Test("a file's word for a feed replaces nobody's words")
  mutating func imported() throws {
    try store.deliver([claimed("Evil")], of: evil, at: hour(2))
    let original = StoredItem(id: "", item: Item(), feeds: [], stored: nil)
    let file = FeedDelivery(
      feed: good,
      items: [story("9", at: 1)],
      imported: [ImportedStory(original, at: 0)],
    )
    try store.merge([file], at: hour(3))
    #expect(Set(store.titles) == ["9", "Evil"])
  }

  // MARK: Homes of today

  @Test("stories that feeds share already stay one, with ids, order and marks")
  mutating func stored() throws {
    let third = "https://third.example/feed"
    store.items = [
      StoredItem(
        id: "00000000000000a1",
        item: claimed("Evil", at: 3),
        feeds: [evil, good],
        stored: hour(4),
      ),
      StoredItem(
        id: "00000000000000a2",
        item: story("8", at: 2),
        feeds: [planet, third],
        stored: hour(4),
      ),
    ]
    for index in store.items.indices { store.items[index].isRead = true }
    let before = store.items
    var other = story("8", at: 2, title: "Eight")
    other.guid = "third-8"
    let found = try store.merge(
      [
        FeedDelivery(feed: evil, items: [claimed("Evil", at: 3)]),
        FeedDelivery(feed: planet, items: [story("8", at: 2)]),
        FeedDelivery(feed: third, items: [other]),
      ],
      at: hour(5),
    )
    #expect(found.changes.isEmpty && store.items == before)
    // The own feed's words come with its next answer; marks stay.
    try store.deliver([story("9", at: 3)], at: hour(6))
    #expect(store.items.map(\.id) == before.map(\.id) && store.items.allSatisfy(\.isRead))
    #expect(store.items[0].item.title == "9" && store.items[0].feeds == [good, evil])
  }
}
