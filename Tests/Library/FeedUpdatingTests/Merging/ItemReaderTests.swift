import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FeedUpdating

@Suite("ItemReader")
struct ItemReaderTests {
  /// The values that a reader returns of all stories.
  private struct Seen: Hashable {
    var texts: [String?] = []
    var date: Double?
    var stored: Double?
    var feeds: [String] = []
  }

  private func bench(_ items: [StoredItem]) throws -> RefreshBench {
    let bench = try RefreshBench()
    try bench.store.update { (_) in
      (LibraryChange(StoryChanges(adding: items)), ())
    }
    return bench
  }

  private func scan(_ table: ItemTable) throws -> [Seen] {
    guard var reader = ItemReader(table) else { return [] }
    return try (0..<table.count).map { index in
      try reader.move(to: index)
      var seen = Seen()
      for text in [ItemField.id, .title, .link, .guid] {
        seen.texts.append(
          try reader.string(text)
        )
      }
      (seen.date, seen.stored) = try reader.instants()
      var numbers: [Int] = []
      try reader.forEachFeed { numbers.append($0) }
      seen.feeds = numbers.map { reader.feeds[$0] }
      return seen
    }
  }

  private func expected(_ item: StoredItem) -> Seen {
    Seen(
      texts: [item.id, item.item.title, item.item.link, item.item.guid],
      date: item.item.date?.timeIntervalSinceReferenceDate,
      stored: item.stored?.timeIntervalSinceReferenceDate,
      feeds: item.feeds,
    )
  }

  private static let podcast: Item = {
    var item = Item(title: "Füße 🦶", link: "https://a.example/1", pubDate: "today", date: hour(1))
    item.guid = "guid ü"
    item.guidIsPermaLink = true
    item.summary = "a longer summary – of what was said"
    item.author = "Zoë"
    item.categories = ["feet", "Füße"]
    var enclosure = Enclosure(url: "https://a.example/1.mp3", type: "audio/mpeg")
    enclosure.length = 12
    item.enclosures = [enclosure]
    item.related = [RelatedFile(role: .transcript, url: "https://a.example/1.vtt", language: "de")]
    (item.season, item.episode) = (2, 5)
    item.chapters = [Chapter(start: 0, title: "a", url: "https://a.example/")]
    item.people = [Person(name: "b", role: "guest")]
    item.comments = "https://a.example/1#comments"
    return item
  }()

  /// One story with one thing changed in each copy.
  private static let others: [Item] = {
    let changes: [(inout Item) -> Void] = [
      { $0.title = "Füße 🦵" }, { $0.title = "Fu\u{308}ße 🦶" }, { $0.title = "" },
      { $0.link += "1" }, { $0.pubDate = "Today" }, { $0.date = hour(2) }, { $0.date = nil },
      { $0.guid = "guid u" }, { $0.guid = nil }, { $0.guidIsPermaLink = false },
      { $0.summary = nil }, { $0.summary? += "." }, { $0.author = "Zoe" }, { $0.author = nil },
      { $0.categories = ["feet"] }, { $0.categories = ["feet", "Fuße"] }, { $0.categories = [] },
      { $0.enclosures = [] }, { $0.enclosures[0].length = nil },
      { $0.enclosures[0].url = "https://a.example/2.mp3" }, { $0.related = [] },
      { $0.related[0].role = .chapters }, { $0.related[0].language = nil }, { $0.season = nil },
      { $0.chapters[0].start = 1 }, { $0.chapters[0].url = nil }, { $0.people[0].role = "host" },
      { $0.season = 3 }, { $0.episode = 6 }, { $0.comments = nil }, { $0.comments? += "1" },
    ]
    return changes.map { change in
      var item = podcast
      change(&item)
      return item
    }
  }()

  @Test("a story is surely the same only where every part of it is, to the byte")
  func sameContent() throws {
    let items = [Self.podcast, Item(title: "bare")] + Self.others
    let stored = items.map { StoredItem(id: "", item: $0, feeds: ["f"], stored: hour(1)) }
    let bench = try bench(stored)
    let table = try bench.store.read().items
    var reader = try #require(ItemReader(table))
    for (position, item) in items.enumerated() {
      try reader.move(to: position)
      for (other, candidate) in items.enumerated() {
        #expect(try reader.surelyHas(candidate) == (position == other), "\(item) \(candidate)")
      }
    }
  }

  @Test("it sees what the accessors see, in stories of all shapes")
  func sameAsAccessors() throws {
    let items = (0..<50).map { number in
      var item = Item(title: number.isMultiple(of: 3) ? "Füße \(number) 🦶" : "feet \(number)")
      if number.isMultiple(of: 2) { item.guid = "guid ü \(number)" }
      if number.isMultiple(of: 5) { item.link = "https://a.example/\(number)" }
      if number.isMultiple(of: 7) { item.date = hour(Double(number)) }
      if number.isMultiple(of: 4) { item.summary = "summary" }
      let feeds = (0...(number % 3)).map { "https://\($0).example/feed" }
      return StoredItem(
        id: ItemID.id(feed: "f", key: .guid("\(number)")),
        item: item,
        feeds: feeds,
        stored: number.isMultiple(of: 6) ? nil : hour(1),
      )
    }
    let bench = try bench(items)
    let table = try bench.store.read().items
    let seen = try scan(table)
    #expect(seen.count == items.count)
    for (seen, item) in zip(seen, items) { #expect(seen == expected(item)) }
  }

  @Test("no stories, no reader")
  func empty() throws {
    let bench = try RefreshBench()
    #expect(try ItemReader(bench.store.read().items) == nil)
  }

  @Test("a story that another program wrote has no id, and is merged like any other")
  func foreign() throws {
    let bench = try RefreshBench(subscriptions: ["https://a.example/feed"])
    let text = """
      <?xml version="1.0"?><plist version="1.0"><array>
      <dict><key>title</key><string>two</string><key>pubDate</key><string></string>
      <key>link</key><string>https://stories.example/two</string><key>guid</key><string>two</string>
      <key>feeds</key><array><string>https://a.example/feed</string></array></dict>
      </array></plist>
      """
    try writeFile(bench.store.dataPath, Array(text.utf8))
    let document = rss("A", [("three", 3), ("two", 2)])
    let report = bench.refresh(FakeFetcher(["https://a.example/feed": .document(document)]), at: 5)
    #expect(report.storageError == nil)
    #expect(report.stored == 1)
    #expect(try bench.titles() == ["three", "two"])
  }

  @Test("an element that is no dictionary is damage: nothing is stored over it")
  func damagedElement() throws {
    let bench = try RefreshBench(subscriptions: ["https://a.example/feed"])
    let text = """
      <plist version="1.0"><array><dict><key>title</key><string>one</string></dict>
      <string>no dictionary</string></array></plist>
      """
    try writeFile(bench.store.dataPath, Array(text.utf8))
    let table = try bench.store.read().items
    #expect(try table.item(at: 0).item.title == "one")
    #expect(throws: StorageError.self) { try table.item(at: 1) }
    let fetcher = FakeFetcher(["https://a.example/feed": .document(rss("A", [("two", 2)]))])
    let report = bench.refresh(fetcher, at: 5)
    #expect(report.storageError?.contains("story 2 is not a dictionary") == true)
    #expect(try readText(bench.store.dataPath) == text)
  }
}
