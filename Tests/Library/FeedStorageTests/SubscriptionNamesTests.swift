import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@Suite("Subscriptions, read for their names alone")
struct SubscriptionNamesTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
    try store.prepareHome()
  }

  @Test("are the same in the same order, with URL, titles and tags")
  func sameAsWhole() throws {
    let subscriptions = (0..<20).map { number in
      var subscription = Subscription(url: "https://\(number).example/feed")
      if number.isMultiple(of: 2) { subscription.title = "Mine \(number) é" }
      if number.isMultiple(of: 3) { subscription.state.title = "Its own \(number)" }
      if number.isMultiple(of: 4) { subscription.tags = ["a", "b/c"] }
      subscription.state.failures = number
      subscription.state.bodyDigest = "N"
      return subscription
    }
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: [fullItem(1)]), subscriptions: subscriptions), ())
    }
    let names = try store.read(.names)
    let expected = subscriptions.map { whole in
      var name = Subscription(url: whole.url, title: whole.title)
      name.tags = whole.tags
      name.state.title = whole.state.title
      return name
    }
    #expect(names.subscriptions == expected)
    #expect(names.items.count == 1)
  }

  @Test("are read from odd files as the whole is")
  func oddFiles() throws {
    let odd: [PropertyListValue] = [
      .dictionary([:]), .dictionary(["feeds": .string("x")]),
      .dictionary([
        "feeds": .array([
          .integer(1), .dictionary(["title": .string("no URL")]), .dictionary(["url": .string("")]),
          .dictionary(["url": .string("u"), "title": .integer(1), "state": .array([])]),
          .dictionary(["url": .string("v"), "tags": .array([.integer(1), .string("t")])]),
        ])
      ]),
    ]
    for value in odd {
      try folder.write(PropertyList.encode(value), to: "home/feeds.plist")
      #expect(try store.read(.names).subscriptions == store.read().subscriptions)
    }
    try folder.write(PropertyList.encode(.array([])), to: "home/feeds.plist")
    #expect(throws: StorageError.self) { try store.read(.names) }
  }

  @Test(
    "a version that is newer, or no number, is refused before anything else of the store is read",
    arguments: [
      (PropertyListValue.integer(3), 3), (.integer(.max), .max), (.unsigned(.max), .max),
      (.string("2"), nil), (.real(1), nil), (.boolean(true), nil),
    ] as [(PropertyListValue, Int?)],
  )
  func versions(_ value: PropertyListValue, _ version: Int?) throws {
    let path = try folder.write(
      PropertyList.encode(.dictionary(["version": value, "feeds": .array([])])),
      to: "home/feeds.plist",
    )
    try folder.write("of a form that nobody knows yet", to: "home/newsdata.plist")
    let error =
      version.map { StorageError.newerVersion(path: path, version: $0, supported: 2) }
      ?? .damaged(path: path, reason: "the version is not a number")
    #expect(throws: error) { try store.read() }
    #expect(throws: error) { try store.read(.names) }
    #expect(throws: error) { try store.saveListing(["a"], positions: [0]) }
    #expect(throws: error) { try store.clearStories() }
    #expect(throws: error) {
      try store.append(RunRecord(started: .distantPast, command: "fetch", outcome: .noData))
    }
    #expect(throws: error) {
      try store.update { (_) in
        (LibraryChange(StoryChanges(adding: [fullItem(1)]), subscriptions: []), ())
      }
    }
    #expect(
      try namesInFolder(store.home).filter { $0 != "lock" } == ["feeds.plist", "newsdata.plist"]
    )
    #expect(try readText(store.dataPath) == "of a form that nobody knows yet")
  }
}
