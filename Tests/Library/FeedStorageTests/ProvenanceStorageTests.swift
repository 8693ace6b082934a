import FeedModel
import PropertyLists
import TestSupport
import Testing

@testable import FeedStorage

@Suite("Provenance in the data file")
struct ProvenanceStorageTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
  }

  private func stories(_ count: Int, _ change: (inout StoredItem, Int) -> Void) -> [StoredItem] {
    (0..<count).map { number in
      let item = Item(title: "story \(number)", link: "https://a.example/\(number)")
      var story = StoredItem(
        id: String(1 << 60 + number, radix: 16),
        item: item,
        feeds: ["https://a.example/feed"],
        stored: start,
      )
      change(&story, number)
      return story
    }
  }

  private func save(_ changes: StoryChanges) throws {
    try store.update { _ in (LibraryChange(changes), ()) }
  }

  private func save(_ stories: [StoredItem]) throws { try save(StoryChanges(adding: stories)) }

  private func replace(_ stories: [Int: StoredItem]) throws {
    var changes = StoryChanges()
    changes.replaced = stories
    try save(changes)
  }

  private func fileSize() throws -> Int {
    try readFile(store.dataPath).count
  }

  @Test("what is noted of a story comes back as it was, and stays when the story is changed")
  func roundTrip() throws {
    let matches = [StoryMatch(feed: "https://b.example/", rule: .guid, date: start)]
    let changes = [
      StoryChange(part: .title, date: start, was: "earlier"),
      StoryChange(part: .summary, date: start, was: nil),
    ]
    try save(
      stories(2) { story, number in
        if number == 0 { (story.matches, story.changes) = (matches, changes) }
      }
    )
    for _ in 0..<2 {
      let items = try store.read().items
      let stored = try items.item(at: 0)
      #expect(stored.matches == matches && stored.changes == changes)
      #expect(try items.item(at: 1).matches.isEmpty && items.item(at: 1).changes.isEmpty)
      var second = try items.item(at: 1)
      second.isRead.toggle()
      var first = stored
      first.isStarred.toggle()
      try replace([0: first, 1: second])
    }
  }

  @Test("a story's provenance costs a few bytes, for stories of one answer share it")
  func size() throws {
    let count = 2_000
    try save(stories(count) { _, _ in })
    let bare = try fileSize()
    let match = StoryMatch(feed: "https://b.example/", rule: .link, date: start)
    let change = StoryChange(part: .summary, date: start, was: nil)
    let full = stories(count) { story, number in
      story.matches = [match]
      story.changes = [change]
    }
    try store.clearStories()
    try save(full)
    #expect(try fileSize() - bare <= count * 24 + 500)
    let items = try store.read().items
    var changed: [Int: StoredItem] = [:]
    for position in 0..<count {
      changed[position] = try items.item(at: position)
      changed[position]?.isRead = true
    }
    try replace(changed)
    #expect(try fileSize() - bare <= count * 40 + 1_000)
  }

  @Test("values of other programs under these names are kept, and are no provenance")
  func foreign() throws {
    try store.prepareHome()
    let foreign: PropertyListDictionary = [
      "title": .string("t"), "origin": .string("mine"), "matched": .integer(7),
      "changed": .boolean(true), "previous": .array([.string("x")]), "mine": .real(1.5),
    ]
    try writeFile(store.dataPath, PropertyList.encode(.array([.dictionary(foreign)])))
    var story = try store.read().items.item(at: 0)
    #expect(story.matches.isEmpty && story.changes.isEmpty)
    story.isRead = true
    try replace([0: story])
    let reader = try PropertyList.reader(PropertyListBytes(try readFile(store.dataPath)))
    let stored = try #require(try reader.value(reader.root).array?.first?.dictionary)
    for entry in foreign.entries { #expect(stored[entry.key] == entry.value) }
    #expect(stored["read"] == .boolean(true))
  }

  @Test("what many stories have in common stands in the file once")
  func sharing() throws {
    func size(_ change: (inout StoredItem, Int) -> Void) throws -> Int {
      let old = 0..<(try store.read().items.count)
      try save(StoryChanges(adding: stories(100, change), removing: old))
      return try fileSize()
    }
    let bare = try size { story, _ in story.feeds = [] }
    // The bound is for the references to a key and its value, and the keys and values themselves.
    #expect(try size { _, _ in } <= bare + 100 * 8 + 60)
    let feeds = bare + 100 * 8 + 60
    #expect(try size { story, _ in story.isRead = true } <= feeds + 100 * 8 + 20)
    #expect(try size { story, _ in story.item.guid = story.item.link } <= feeds + 100 * 8 + 20)
    #expect(try size { story, _ in story.item.author = "Zoë" } <= feeds + 100 * 8 + 30)
    #expect(try size { story, _ in story.item.categories = ["news"] } <= feeds + 100 * 8 + 50)
    let stored = try store.items()
    #expect(stored == stories(100) { story, _ in story.item.categories = ["news"] })
  }
}
