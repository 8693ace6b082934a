import FeedModel
import TestSupport
import Testing

@testable import FeedStorage

@Suite("Stories between their feeds and the store")
struct StorySpoolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Stories with all fields, with none, and with rare ones.
  private var items: [Item] {
    var odd = Item(title: "\u{0}é🗞", date: Date(timeIntervalSinceReferenceDate: -0.25), guid: " ")
    odd.summary = String(repeating: "summary ", count: 20_000)
    odd.categories = ["", "news"]
    odd.enclosures = [Enclosure(url: "", type: "", length: -1, duration: 0)]
    return [fullItem(1).item, Item(), odd, fullItem(2).item]
  }

  private var texts: [StoryText?] {
    let html = StoryText(isHTML: true, base: "https://b.example/é", bytes: Array("<p>é🗞".utf8))
    let plain = StoryText(isHTML: false, base: "", bytes: Array("text".utf8), isCut: true)
    return [html, nil, plain, StoryText(isHTML: true, bytes: [])]
  }

  private func expect(
    _ stories: SpooledStories,
    _ items: [Item],
    _ texts: [StoryText?],
  ) throws {
    #expect(stories.count == items.count)
    #expect(try stories.indices.map { try stories.item(at: $0) } == items)
    #expect(try stories.indices.map { try stories.text(at: $0) } == texts)
    #expect(stories.indices.map { stories.hasText(at: $0) } == texts.map { $0 != nil })
  }

  @Test(
    "come back with their texts as they went in, from memory and from the file",
    arguments: [0, 200_000, 1 << 30],
  )
  func roundTrip(maximumBuffered: Int) throws {
    let spool = StorySpool(folder: folder.path, maximumBuffered: maximumBuffered)
    let feeds = (0..<4).map { spool.add(Array(items.dropFirst($0)), Array(texts.dropFirst($0))) }
    #expect(spool.hasFile == (maximumBuffered < 1 << 30))
    for (feed, stories) in feeds.enumerated() {
      try expect(stories, Array(items.dropFirst(feed)), Array(texts.dropFirst(feed)))
    }
    try expect(spool.add(items), items, [nil, nil, nil, nil])
    #expect(spool.add([]).count == 0)
  }

  @Test("of several feeds come in turn, each feed's from its first or from its last")
  func inTurn() throws {
    let spool = StorySpool(folder: folder.path, maximumBuffered: 0)
    let made = (0..<400).map { fullItem($0).item } + items
    let feeds = (0..<40).map { feed in spool.add(Array(made.dropFirst(feed))) }
    for place in 0..<feeds[39].count {
      for (feed, stories) in feeds.enumerated() {
        let index = feed % 2 == 0 ? place : stories.count - 1 - place
        #expect(try stories.item(at: index) == made[feed + index])
      }
    }
  }

  @Test("of an ordinary run stay in memory: five hundred feeds with whole texts make no file")
  func ordinaryRun() throws {
    let spool = StorySpool(folder: folder.path)
    var item = fullItem(1).item
    item.summary = String(repeating: "s", count: 200)
    let text = StoryText(isHTML: true, bytes: Array(repeating: 32, count: 700))
    let (ofFeed, texts) = (Array(repeating: item, count: 50), Array(repeating: text, count: 50))
    let feeds = (0..<500).map { _ in spool.add(ofFeed, texts) }
    #expect(!spool.hasFile && spool.buffered > 25_000 * 900)
    #expect(try feeds[499].item(at: 49) == item)
  }

  @Test("that are more go to a file without a name, all of them")
  func limit() throws {
    let limit = 500_000
    let spool = StorySpool(folder: folder.path, maximumBuffered: limit)
    var feeds = [spool.add(items, texts)]
    while !spool.hasFile {
      #expect((1...limit).contains(spool.buffered))
      feeds.append(spool.add(items, texts))
    }
    #expect(spool.buffered == 0 && feeds.count > 2)
    feeds.append(spool.add(items, texts))
    #expect(spool.buffered == 0)
    #expect(try namesInFolder(folder.path) == [])
    for stories in feeds { try expect(stories, items, texts) }
  }

  @Test("stay in memory where no file can be had")
  func noFile() throws {
    let spool = StorySpool(folder: folder.path("missing"), maximumBuffered: 0)
    let feeds = [spool.add(items, texts), spool.add(items, texts)]
    #expect(spool.buffered > 300_000 && !spool.hasFile)
    for stories in feeds { try expect(stories, items, texts) }
  }

  @Test("take over the name that a killed process left")
  func leftBehind() throws {
    _ = try folder.write("left", to: ".fetched.new")
    let spool = StorySpool(folder: folder.path, maximumBuffered: 0)
    try expect(spool.add(items, texts), items, texts)
    #expect(spool.buffered == 0)
    #expect(try namesInFolder(folder.path) == [])
  }

  @Test(
    "are made when their turn to be written has come, where the edits number them",
    arguments: [0, 1 << 30],
  )
  func source(maximumBuffered: Int) throws {
    let store = LibraryStore(home: folder.path("home"))
    let made = (0..<3_000).map(fullItem)
    let spool = StorySpool(folder: folder.path, maximumBuffered: maximumBuffered)
    let stories = spool.add(made.map(\.item))
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: [fullItem(9_000), fullItem(9_001)])), ())
    }
    try store.update { (_) in
      let source: StorySource = { number in
        var frame = made[number]
        frame.item = try stories.item(at: number)
        return frame
      }
      var changes = StoryChanges(adding: [], removing: [1])
      for number in made.indices.reversed() { changes.place(.made(number), before: 1) }
      changes.made = MadeStories(source)
      return (LibraryChange(changes), ())
    }
    let table = try store.read().items
    let stored = try (0..<table.count).map { try table.item(at: $0) }
    #expect(stored == [fullItem(9_000)] + made.reversed())
  }
}
