import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("The history of what can be taken back")
struct HistoryTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
  }

  private func change(
    _ command: String,
    _ body: (Library) -> LibraryChange,
  ) throws {
    try store.update { (library) in
      var change = body(library)
      change.origin = ChangeOrigin(command: command, date: .distantPast)
      return (change, ())
    }
  }

  private func mark(_ isRead: Bool) throws {
    try change("read") { _ in
      var change = LibraryChange()
      change.stories.adjusted[0] = ItemAdjustment(marks: [.read: isRead])
      return change
    }
  }

  @Test("can be read again where many feeds have one long tag", arguments: [false, true])
  func sharedTag(clearsStories: Bool) throws {
    let feeds = (0..<300).map { number in
      var subscription = Subscription(url: "https://\(number).example/feed")
      subscription.tags = [String(repeating: "t", count: 4_000)]
      return subscription
    }
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: [fullItem(1)]), subscriptions: feeds), ())
    }
    let gone = clearsStories ? 0..<1 : 0..<0
    try change("clear") { _ in
      LibraryChange(StoryChanges(adding: [], removing: gone), subscriptions: [])
    }
    let step = try #require(try store.history().steps.last)
    #expect(step.feeds.compactMap(\.old) == feeds)
    #expect(try store.stories(clearedBy: step)?.count == (clearsStories ? 1 : nil))
  }

  @Test("has the last hundred steps")
  func hundred() throws {
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: [fullItem(1)])), ())
    }
    for number in 1...103 { try mark(number % 2 == 1) }
    #expect(try store.history().steps.map(\.number) == Array(4...103))
  }

  @Test("a change that was never made takes nothing of the one that it continues")
  func continued() throws {
    let path = store.path("feeds.plist")
    let feeds = ["a", "b"].map { Subscription(url: "https://\($0).example/feed") }
    func subscribe(_ count: Int) throws {
      try store.update { _ in
        var change = LibraryChange(subscriptions: Array(feeds.prefix(count)))
        change.origin = ChangeOrigin(command: "subscribe", date: .distantPast)
        change.origin?.joinsLast = count > 1
        return (change, ())
      }
    }
    try store.update { _ in (LibraryChange(StoryChanges(adding: [fullItem(1)])), ()) }
    try subscribe(1)
    let before = try readFile(path)
    try subscribe(2)
    #expect(try store.history().steps.map(\.feeds.count) == [2])
    // As if the process had been killed when only the log was saved.
    try folder.write(before, to: "home/feeds.plist")
    #expect(try store.read().subscriptions == [feeds[0]])
    try mark(true)
    #expect(try store.read().subscriptions == [feeds[0]])
    #expect(try store.history().steps.map(\.feeds.count) == [1, 0])
  }

  @Test("has no more than 64 MiB of stories that went, but always those of the last step")
  func bounded() throws {
    var story = fullItem(1)
    story.item.summary = String(repeating: "é", count: 8 << 20)
    func fillAndClear() throws {
      try store.update { [story] (_) in
        (LibraryChange(StoryChanges(adding: [story])), ())
      }
      try change("delete") { _ in LibraryChange(StoryChanges(adding: [], removing: [0])) }
    }
    for _ in 0..<7 { try fillAndClear() }
    let steps = try store.history().steps
    #expect(steps.map(\.number) == [4, 5, 6, 7])
    for step in steps { #expect(try store.stories(clearedBy: step)?.count == 1) }
    let files = try namesInFolder(store.home).filter { $0.contains("cleared") }.sorted()
    #expect(files == (4...7).map { "newsdata.plist.cleared-\($0)" })
  }
}
