import FeedModel
import Testing

@testable import FeedLibrary
@testable import FeedUpdating

@Suite("Stories that were read and deleted")
struct ClearedStoriesTests {
  private let feed = "https://a.example/feed"
  private var store = StoredStories()

  /// Clears the stories with these titles as `news delete` does.
  private mutating func clear(_ titles: String...) {
    for story in store.items where titles.contains(story.item.title) {
      store.cleared[feed, default: []] += ClearedHashes.hashes(of: story.item)
    }
    store.items.removeAll { titles.contains($0.item.title) }
  }

  @Test("do not come back, are not new, and keep nothing else away")
  mutating func stayAway() throws {
    let items = [story("c", at: 3), story("b", at: 2), story("a", at: 1)]
    try store.deliver(items, at: hour(5))
    clear("c", "a")
    for time in 6...8 {
      let found = try store.deliver(items, at: hour(Double(time)))
      #expect(found.stored == 0 && found.news.outcome == .noData)
      #expect(store.titles == ["b"])
    }
    #expect(try store.deliver([story("d", at: 4)] + items, at: hour(9)).news.new.count == 1)
    #expect(store.titles == ["d", "b"])
  }

  @Test(
    "are known by their guid with another title and link, and by link and title with another guid"
  )
  mutating func changed() throws {
    try store.deliver([story("b", at: 2), story("a", at: 1)], at: hour(5))
    clear("a", "b")
    var retitled = story("b", at: 2, title: "B, corrected")
    retitled.link = "https://a.example/elsewhere"
    var renamed = story("a", at: 1)
    renamed.guid = nil
    #expect(try store.deliver([retitled, renamed], at: hour(6)).stored == 0)
    #expect(store.items.isEmpty)
  }

  @Test("stay away when their feed edits them, with another guid, title and date too")
  mutating func edited() throws {
    let others = [story("c", at: 3), story("b", at: 2)]
    try store.deliver([story("a", at: 1)] + others, at: hour(5))
    clear("a", "b")
    var edited = story("a", at: 4, title: "A, edited")
    edited.guid = "new"
    #expect(try store.deliver([edited] + others, at: hour(6)).stored == 0)
    #expect(store.titles == ["c"])
    // Nothing says that links of this feed belong to its stories alone.
    #expect(try store.deliver([edited], at: hour(7)).stored == 1)
  }

  @Test("stay away when a page of older stories has them with another guid and title")
  mutating func older() throws {
    let items = [story("c", at: 3), story("b", at: 2), story("a", at: 1)]
    try store.deliver(items, at: hour(5))
    clear("a")
    var edited = story("a", at: 1, title: "A, edited")
    edited.guid = "new"
    let page = [edited, story("d", at: 0.5), story("e", at: 0.2)]
    let frames = page.indices.map { place in
      ImportedStory(StoredItem(id: "", item: Item(), feeds: [], stored: nil), at: place)
    }
    var delivery = FeedDelivery(feed: feed, items: page, imported: frames, isComplete: false)
    delivery.comesRead = true
    #expect(try store.merge([delivery], at: hour(6)).findings[0].stored == 2)
    #expect(store.items.filter(\.isRead).map(\.item.title).sorted() == ["d", "e"])
    #expect(store.items.allSatisfy { $0.item.title != "A, edited" })
  }

  @Test("leave their guid to another story")
  mutating func reusedGUID() throws {
    func latest(_ number: Int, _ words: String = "") -> Item {
      let link = "https://a.example/\(number)"
      let date = hour(Double(number))
      return Item(
        title: "Nr. \(number)\(words)",
        link: link,
        pubDate: "\(number)",
        date: date,
        guid: "latest",
      )
    }
    try store.deliver([latest(1)], at: hour(1))
    let id = store.items[0].id
    clear("Nr. 1")
    #expect(try store.deliver([latest(1, "!")], at: hour(2)).stored == 0)
    #expect(try store.deliver([latest(2)], at: hour(3)).news.new.count == 1)
    #expect(store.titles == ["Nr. 2"] && store.items[0].id != id)
    #expect(try store.deliver([latest(2)], at: hour(4)).stored == 0)
  }

  @Test("that an earlier version remembers stay away, edited or not")
  mutating func former() throws {
    try store.deliver([story("b", at: 2), story("a", at: 1)], at: hour(5))
    store.cleared[feed] = store.items.flatMap { ClearedHashes.formerHashes(of: $0.item) }
    store.items = []
    var other = story("b", at: 3, title: "B, another")
    other.link = "https://a.example/elsewhere"
    #expect(try store.deliver([other, story("a", at: 1)], at: hour(6)).stored == 0)
    #expect(store.items.isEmpty)
  }

  @Test("of a feed that gives one link to whatever is newest do not hide what comes next")
  mutating func oneLink() throws {
    func comic(_ title: String, at hours: Double) -> Item {
      Item(title: title, link: "https://a.example/", pubDate: "", date: hour(hours))
    }
    try store.deliver([comic("Monday", at: 1)], at: hour(2))
    clear("Monday")
    #expect(try store.deliver([comic("Monday", at: 1)], at: hour(3)).stored == 0)
    #expect(try store.deliver([comic("Tuesday", at: 4)], at: hour(5)).stored == 1)
    #expect(store.titles == ["Tuesday"])
  }

  @Test("have hashes that do not change")
  func pinned() {
    #expect(
      ClearedHashes.formerHashes(of: story("a", at: 1)) == [
        5_841_685_679_818_253_100, 13_784_923_908_936_138_759,
      ]
    )
    #expect(
      ClearedHashes.hashes(of: Item(title: "T", pubDate: "now")) == [
        3_521_539_942_073_969_495, 10_613_171_308_887_705_100,
      ]
    )
  }

  @Test("are remembered while the feed carries them, and most of the others forgotten")
  mutating func bounded() throws {
    let carried = story("carried", at: 1)
    let hashes = ClearedHashes.hashes(of: carried)
    store.cleared[feed] = hashes + (0..<9000).map { UInt64($0) }
    try store.deliver([carried], isComplete: false, at: hour(2))
    #expect(store.cleared[feed]?.count == 9000 + hashes.count)
    try store.deliver([carried], at: hour(3))
    #expect(store.cleared[feed]?.count == ClearedHashes.mostUncarried + hashes.count)
    #expect(store.cleared[feed]?.contains(8999) == true)
    try store.deliver([carried], at: hour(4))
    #expect(store.items.isEmpty)
  }

  @Test("another feed may bring")
  mutating func otherFeed() throws {
    try store.deliver([story("a", at: 1)], at: hour(2))
    clear("a")
    try store.deliver([story("a", at: 1)], of: "https://b.example/feed", at: hour(3))
    #expect(store["a"]?.feeds == ["https://b.example/feed"])
    try store.deliver([story("a", at: 1)], at: hour(4))
    #expect(store["a"]?.feeds == ["https://b.example/feed"])
    #expect(store["a"]?.isRead == false)
  }
}
