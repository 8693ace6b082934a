import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("The whole texts of a save that fails")
struct FailedSaveTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
    try store.prepareHome()
  }

  private func save() throws {
    let text = StoryText(isHTML: true, base: nil, bytes: Array("<p>text".utf8))
    let stories = SpooledStories([], [text])
    try store.update { _ in
      let subscriptions = [Subscription(url: "https://example.com/feed.xml")]
      var change = LibraryChange(StoryChanges(adding: [fullItem(1)]), subscriptions: subscriptions)
      change.stories.texts = [NewText(id: fullItem(1).id, of: stories, at: 0)]
      return (change, ())
    }
  }

  private func hasText() throws -> Bool {
    try store.textIndex().text(of: fullItem(1).id) != nil
  }

  /// Makes a folder of the temporary file's name, so that no user can write the file.
  private func obstruct(_ name: String) throws {
    try makeFolder("\(store.home)/.\(name).new")
  }

  @Test("go with it, and come with the next that succeeds")
  func discarded() throws {
    try obstruct("newsdata.plist")
    #expect(throws: StorageError.self) { try save() }
    #expect(try namesInFolder("\(store.home)/texts") == [])
    #expect(try !hasText())
    removeTree("\(store.home)/.newsdata.plist.new")
    try save()
    #expect(try hasText())
  }

  @Test("stay where their stories were stored before it failed")
  func kept() throws {
    try obstruct("feeds.plist")
    #expect(throws: StorageError.self) { try save() }
    #expect(try store.read().items.count == 1)
    #expect(try hasText())
  }
}
