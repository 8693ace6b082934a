import FeedModel
import FeedStorage
import System
import TestSupport
import Testing

@Suite("Commands and files are followed, and run, only where the user has named them")
struct OwnWordsTests {
  private let folder: TemporaryFolder
  private var store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
  }

  static let feeds: [Subscription] = {
    var secret = Subscription(url: "https://a.example/1")
    secret.passwordCommand = "touch x"
    var headers = Subscription(url: "https://a.example/2")
    headers.headers.command = "touch x"
    var filtered = Subscription(url: "https://a.example/3")
    filtered.filter = "touch x"
    let urls = ["exec:touch x", "EXEC:touch x", "file:///etc/passwd", "/etc/passwd", "filter:a:b"]
    return [secret, headers, filtered] + urls.map { Subscription(url: $0) }
  }()

  private func follow(_ feeds: [Subscription], _ store: LibraryStore, undo: Int? = nil) throws {
    try store.change { _ in
      var change = LibraryChange(subscriptions: feeds)
      change.origin = ChangeOrigin(command: "test", date: Date(timeIntervalSince1970: 1))
      change.origin?.answered = undo
      return (change, ())
    }
  }

  @Test("what nobody typed is not stored, whoever asks for it", arguments: feeds)
  func untyped(_ feed: Subscription) throws {
    try follow([Subscription(url: "https://b.example/")], store)
    #expect(throws: StorageError.self) { try follow([feed], store) }
    #expect(try store.read().subscriptions.map(\.url) == ["https://b.example/"])
    // Another word was typed.
    var other = store
    other.typed = OwnWords(typed: ["touch y", "https://a.example/1"])
    #expect(throws: StorageError.self) { try follow([feed], other) }
  }

  @Test("what was typed is stored, stays, and is run", arguments: feeds)
  func typed(_ feed: Subscription) throws {
    var typing = store
    typing.typed = OwnWords(typed: feed.ownWords)
    try follow([feed], typing)
    try follow([feed, Subscription(url: "https://b.example/")], store)
    #expect(try store.read().subscriptions.count == 2)
  }

  @Test("only commands that a file of the user's own names are run, and no other of their kind")
  func run() throws {
    var feed = Subscription(url: "https://a.example/1")
    (feed.passwordCommand, feed.filter) = ("say word", "tr a b")
    var typing = store
    typing.typed = OwnWords(typed: feed.ownWords)
    try follow([feed, Subscription(url: "https://b.example/")], typing)
    #expect(store.ownWords().command("say word")?.line == "say word")
    #expect(store.ownWords().command("tr a b") != nil)
    #expect(store.ownWords().command("touch x") == nil)
    #expect(store.ownWords().command("https://b.example/") == nil)
    let path = store.path("feeds.plist")
    try #require(chmod(path, 0o666) == 0)
    #expect(store.ownWords().command("say word") == nil)
    #expect(store.ownWords().refusal == "others can write to \(path) (chmod go-w)")
  }

  @Test("an undo brings back the commands of a history that nobody else can have written")
  func undo() throws {
    let feed = Subscription(url: "exec:touch x")
    try follow([Subscription(url: "https://b.example/")], store)
    let path = store.path("history.plist")
    try #require(chmod(path, 0o666) == 0)
    #expect(throws: StorageError.refused("exec:touch x: others can write to \(path) (chmod go-w)"))
    {
      try follow([feed], store, undo: 1)
    }
    try #require(chmod(path, 0o600) == 0)
    try follow([feed], store, undo: 1)
    #expect(try store.read().subscriptions == [feed])
  }
}
