import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("Stories that have left their feed are on every machine, with --stories")
struct StorySharingTests {
  private let homes: SyncedHomes

  init() throws {
    homes = try SyncedHomes(3)
    for home in homes.homes { serve(home, 1...3) }
  }

  private func serve(_ home: CommandRun, _ numbers: ClosedRange<Int>) {
    let items = numbers.map { number in
      let text = String(repeating: "Text of \(number). ", count: 200)
      return "<item><title>s\(number)</title><link>https://example.com/\(number)</link>"
        + "<pubDate>\(number) Oct 2026 10:00:00 GMT</pubDate>"
        + "<description>\(text)</description></item>"
    }
    let feed = "<rss version=\"2.0\"><channel><title>F</title>\(items.joined())</channel></rss>"
    home.fetcher.serve(Sample.feed, .init(body: feed))
  }

  private func titles(_ number: Int) throws -> Set<String> { Set(try homes.marks(number).keys) }

  private func files() throws -> [String] { try homes.files().filter { $0.hasSuffix(".json") } }

  @Test("who comes later gets them, whole, and they are left for nobody who has them")
  func joining() throws {
    _ = homes.run(0, "refresh", Sample.feed)
    _ = homes.run(0, "read", "1")
    serve(homes.homes[0], 4...6)
    _ = homes.run(0, "refresh")
    serve(homes.homes[1], 5...6)
    homes.sync(0, "--stories")
    #expect(try files().isEmpty)
    homes.sync(1, "--stories")
    #expect(try titles(1).isEmpty)
    homes.sync(0, "--stories")
    #expect(try files().count == 1)
    _ = homes.run(1, "refresh")
    #expect(
      homes.sync(1, "--stories").errors
        == "2 machines: 1 mark, 0 feeds added, 0 removed, 4 stories\n"
    )
    #expect(try titles(1) == ["s1", "s2", "s3", "s4", "s5", "s6"])
    #expect(try homes.marks(0) == homes.marks(1))
    let places = try (1...6).map { _ in try homes.homes[1].store.read().items }
    let items = try #require(places.first)
    for place in 0..<6 {
      let story = try items.item(at: place)
      let text = try homes.homes[1].store.text(of: story)
      #expect(text?.bytes.count ?? 0 > 2_000, "\(story.item.title)")
    }
    homes.sync(0, "--stories")
    #expect(try files().isEmpty)
    homes.settle("--stories")
    #expect(try titles(2).count == 6)
    homes.settle("--stories")
    #expect(try files().isEmpty)
  }

  @Test("what was cleared here does not come back, though others have it")
  func cleared() throws {
    for number in 0..<2 { _ = homes.run(number, "refresh", Sample.feed) }
    homes.settle("--stories")
    for home in homes.homes { serve(home, 4...6) }
    #expect(homes.run(1, "clear", "--yes").status == 0)
    _ = homes.run(1, "refresh")
    homes.settle("--stories")
    #expect(try titles(1) == ["s4", "s5", "s6"])
    // Homes that never had these stories get the others' all the same.
    #expect(try titles(0).count == 6 && titles(2).count == 6)
    homes.settle("--stories")
    #expect(try titles(1) == ["s4", "s5", "s6"])
  }

  @Test("a saved page that a feed has a story of, too, stays here: others have the feed's story")
  func savedPage() throws {
    let story = "<item><title>s1</title><guid>1</guid><link>https://example.com/1</link></item>"
    for home in homes.homes {
      let feed = "<rss version=\"2.0\"><channel><title>F</title>\(story)</channel></rss>"
      home.fetcher.serve(Sample.feed, .init(body: feed))
      home.fetcher.serve("https://example.com/1", .init(body: "<title>A page</title>"))
    }
    #expect(homes.run(0, "save", "https://example.com/1").status == 0)
    for number in 0..<2 { _ = homes.run(number, "refresh", Sample.feed) }
    homes.settle("--stories")
    #expect(try titles(0) == ["A page"])
    #expect(try titles(1) == ["s1"])
  }

  @Test("without --stories none go, and one machine's wish obliges no other")
  func unasked() throws {
    _ = homes.run(0, "refresh", Sample.feed)
    homes.settle()
    #expect(try titles(1).isEmpty)
    homes.sync(1, "--stories")
    homes.sync(0)
    homes.sync(1, "--stories")
    #expect(try titles(1).isEmpty)
    #expect(try files().isEmpty)
  }

  @Test("accounts, paths and marks are in no file of stories")
  func secrets() throws {
    let url = "https://reader:hunter2@example.com/feed.xml"
    var story = Sample.story(1, "Secret", hours: 1, feeds: [url, "file:///home/me/feed.xml"])
    story.file = "/home/me/episode.mp3"
    story.matches = [StoryMatch(feed: url, rule: .link, date: Date(timeIntervalSince1970: 0))]
    try homes.homes[0].store([story], subscriptions: [(url, "S")])
    homes.sync(1, "--stories")
    homes.sync(0, "--stories")
    let file = try #require(try files().first)
    let text = try readText(homes.folder.path(file))
    for secret in ["hunter2", "reader", "/home/me", "\"read\":true"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains("Secret"))
    // A hash of a URL with a password could be tried for that password.
    #expect(!text.contains(story.id))
    homes.sync(1, "--stories")
    #expect(try titles(1) == ["Secret"])
  }

  @Test("a hostile file of stories brings no feed, no marks, and no path")
  func hostile() throws {
    _ = homes.run(0, "refresh", Sample.feed)
    homes.settle("--stories")
    let other = try #require(try homes.files().first { $0.hasSuffix(".plist") })
    let stories = """
      {"stories":[
      {"id":"00000000000000aa","title":"\\u001b[2Jbad","link":"javascript:x","read":true,
       "starred":true,"file":"/etc/passwd","feeds":["\(Sample.feed)"],"guid":"g1"},
      {"id":"00000000000000ab","title":"other","feeds":["https://evil.example/feed"],"guid":"g2"},
      {"id":"00000000000000ac","title":"file","feeds":["file:///etc/passwd"],"guid":"g3"}]}
      """
    let number = try #require(
      homes.homes.indices.first { number in
        (try? homes.homes[number].store.syncState()).map { !other.contains("\($0.machine)") }
          ?? false
      }
    )
    try homes.folder.write(stories, to: String(other.dropLast(6)) + ".json")
    #expect(homes.sync(number, "--stories").status == 0)
    let items = try homes.homes[number].store.read().items
    #expect(items.count == 4)
    let place = try #require(try items.index(ofID: "00000000000000aa"))
    let bad = try items.item(at: place)
    #expect(!bad.isRead && !bad.isStarred && bad.file == nil && bad.item.link.isEmpty)
    #expect(!bad.item.title.contains("\u{1b}"))
    try homes.folder.write("{\"stories\":[{\"id", to: String(other.dropLast(6)) + ".json")
    let cut = homes.sync(number, "--stories")
    #expect(cut.status == 1 && cut.errors.contains("left out: "), "\(cut)")
  }
}
