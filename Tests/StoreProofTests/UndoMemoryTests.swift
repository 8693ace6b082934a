import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("The undo of a clearing of many stories", .serialized)
struct UndoMemoryTests {
  private static let count = 6_000

  @Test(
    "holds a few bytes of each: less than 4 MB for 6,000",
    arguments: [
      ["delete", "--all", "--grep", "is:read", "--yes"],
      ["clear", "--yes", "--feed", "https://example.org/1"],
      ["clear", "--feed", "https://example.org/2", "--yes"], ["clear", "--yes"],
    ],
  )
  func memory(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    let store = LibraryStore(home: folder.path("home"))
    try Self.fill(store)
    let news = [try BuiltProduct.path("news"), "--home", store.home]
    let before = try Self.stories(store)
    let base = try #require(
      try BoundedRun(news + ["list", "-n", "1"], seconds: 60, in: folder).memory
    )
    let clearing = try BoundedRun(news + command, seconds: 60, in: folder)
    try #require(clearing.result.status == 0, "\(clearing.result.errorText)")
    let isCleared = try Self.stories(store) != before
    #expect(isCleared)
    let later = ShapedStore.story(-1)
    try store.update { (library) in
      (LibraryChange(StoryChanges(adding: [later])), ())
    }
    let undo = try BoundedRun(news + ["undo"], seconds: 120, in: folder)
    try #require(undo.result.status == 0, "\(undo.result.errorText)")
    let isBack = try Self.stories(store).filter { $0.id != later.id } == before
    #expect(isBack)
    let memory = try #require(undo.memory)
    #expect(memory.data - base.data < 4 << 20)
  }

  private static func fill(_ store: LibraryStore) throws {
    try store.update { (_) in
      let stories = (0..<count).map { number in
        var story = ShapedStore.story(number)
        story.item.summary = String(repeating: "\(number) words and ", count: 60)
        story.feeds = ["https://example.org/1"] + (number % 2 == 0 ? ["https://example.org/2"] : [])
        story.isRead = number % 3 != 0
        return story
      }
      let feeds = (1...2).map { Subscription(url: "https://example.org/\($0)") }
      return (LibraryChange(StoryChanges(adding: stories), subscriptions: feeds), ())
    }
  }

  private static func stories(_ store: LibraryStore) throws -> [StoredItem] {
    let items = try store.read().items
    return try (0..<items.count).map { try items.item(at: $0) }
  }
}
