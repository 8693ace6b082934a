import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("Stories between their feeds and the store")
struct StorySpoolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// With everything, with nothing, and with what is seldom.
  private var items: [Item] {
    var odd = Item(title: "\u{0}é🗞", date: Date(timeIntervalSinceReferenceDate: -0.25), guid: " ")
    odd.summary = String(repeating: "summary ", count: 20_000)
    odd.categories = ["", "news"]
    odd.enclosures = [Enclosure(url: "", type: "", length: -1, duration: 0)]
    return [fullItem(1).item, Item(), odd, fullItem(2).item]
  }

  private func contents(_ stories: SpooledStories) throws -> [Item] {
    try stories.indices.map { try stories.item(at: $0) }
  }

  @Test("come back as they went in, from memory and from the file", arguments: [0, 1, 1 << 20])
  func roundTrip(maximumHeld: Int) throws {
    let spool = StorySpool(folder: folder.path, maximumHeld: maximumHeld)
    let feeds = (0..<3).map { feed in spool.add(Array(items.dropFirst(feed))) }
    for (feed, stories) in feeds.enumerated() {
      #expect(try contents(stories) == Array(items.dropFirst(feed)))
    }
    #expect(spool.add([]).count == 0)
  }

  @Test("of several feeds come in turn, each feed's from its first or from its last")
  func inTurn() throws {
    let spool = StorySpool(folder: folder.path, maximumHeld: 0)
    let made = (0..<400).map { fullItem($0).item } + items
    let feeds = (0..<40).map { feed in spool.add(Array(made.dropFirst(feed))) }
    for place in 0..<feeds[39].count {
      for (feed, stories) in feeds.enumerated() {
        let index = feed % 2 == 0 ? place : stories.count - 1 - place
        #expect(try stories.item(at: index) == made[feed + index])
      }
    }
  }

  @Test("are in memory up to a limit, and then in a file without a name")
  func limit() throws {
    let limit = 200_000
    let spool = StorySpool(folder: folder.path, maximumHeld: limit)
    let feeds = (0..<10).map { _ in spool.add(items) }
    #expect((1...limit).contains(spool.held))
    #expect(try namesInFolder(folder.path) == [])
    for stories in feeds { #expect(try contents(stories) == items) }
  }

  @Test("stay in memory where no file can be had")
  func noFile() throws {
    let spool = StorySpool(folder: folder.path("missing"), maximumHeld: 0)
    let stories = [spool.add(items), spool.add(items)]
    #expect(spool.held > 300_000)
    for stories in stories { #expect(try contents(stories) == items) }
  }

  @Test("take over the name that a killed process left")
  func leftBehind() throws {
    _ = try folder.write("left", to: ".fetched.new")
    let spool = StorySpool(folder: folder.path, maximumHeld: 0)
    #expect(try contents(spool.add(items)) == items)
    #expect(spool.held == 0)
    #expect(try namesInFolder(folder.path) == [])
  }

  @Test(
    "are made when their turn to be written has come, where the edits number them",
    arguments: [0, 1 << 30],
  )
  func source(maximumHeld: Int) throws {
    let store = LibraryStore(home: folder.path("home"))
    let made = (0..<3_000).map(fullItem)
    let spool = StorySpool(folder: folder.path, maximumHeld: maximumHeld)
    let stories = spool.add(made.map(\.item))
    try store.update { (_) throws(StorageError) in
      (LibraryChange(items: [.insert(fullItem(9_000)), .insert(fullItem(9_001))]), ())
    }
    try store.update { (_) throws(StorageError) in
      let source: StorySource = { number in
        var frame = made[number]
        frame.item = Item(title: "none that counts")
        return SpooledStory(frame, itemOf: stories, at: number)
      }
      let numbered = made.indices.reversed().map { ItemEdit.insertNumber($0) }
      let edits = [.keep(0..<1)] + numbered
      return (LibraryChange(items: edits, source: source), ())
    }
    let table = try store.read().items
    let stored = try (0..<table.count).map { try table.item(at: $0) }
    #expect(stored == [fullItem(9_000)] + made.reversed())
  }
}
