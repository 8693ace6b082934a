import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

/// `Fixtures/store/home-of-27-november` was made by the program of that day.
///
/// Its feed was set to have new stories come read. Of its four stories one is starred, one has a
/// tag, one a note, and one was deleted after the last sync.
@Suite("A home that was made before 1.0")
struct FormerHomeTests {
  private static let feed = "http://127.0.0.1:18765/old/feed.xml"

  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    news.now = 1_795_867_200
  }

  private func copy() throws {
    let (from, to) = (BuiltProduct.fixture("store/home-of-27-november"), news.store.home)
    let copy = try Subprocess.run(["cp", "-R", from, to])
    try #require(copy.status == 0, "\(copy.errorText)")
  }

  private func serve(_ stories: ClosedRange<Int>) {
    let items = stories.map {
      "<item><title>story \($0)</title><link>https://www.example.org/\($0)</link>"
        + "<guid isPermaLink=\"false\">tag:example.org,2026:\($0)</guid></item>"
    }
    let channel = "<channel><title>Old</title>\(items.joined())</channel>"
    news.fetcher.serve(Self.feed, .init(body: "<rss version=\"2.0\">\(channel)</rss>"))
  }

  private func isRead(_ number: Int) throws -> Bool? {
    try news.stories().first { $0.item.title == "story \(number)" }?.isRead
  }

  private func count(in name: String) throws -> Int {
    let file = try #require(StoreFile.all.first { $0.isCalled("\(name).plist") })
    return try file.contents(of: file.name, in: news.store) ?? 0
  }

  @Test("of 27 November is read with its marks, numbers, history and what was synchronized")
  func ofToday() throws {
    try copy()
    #expect(news("show", "2").output.hasPrefix("story 3"))
    let stories = try news.stories()
    #expect(stories.map(\.item.title) == ["story 4", "story 3", "story 2"])
    #expect(stories.map(\.isStarred) == [true, false, false])
    #expect(stories.map(\.tags) == [[], ["later"], []])
    #expect(stories.map(\.note) == [nil, nil, "to read"])
    let state = try #require(try news.store.syncState())
    #expect(state.replica.registers.count == 4 && state.replica.seen.values.first == 2)
    for name in ["feeds", "newsdata", "sync", "runs"] {
      #expect(try count(in: name) > 0, "\(name)")
    }
    let untold = try #require(news.store.recordedChanges())
    #expect(untold.count > 0)
    #expect(news("star", "2").status == 0)
    #expect(try !namesInFolder(news.store.home).contains("changes.plist"))
    #expect(try #require(news.store.recordedChanges()).count >= untold.count)
    #expect(news("undo").status == 0)
    #expect(news("undo").errors == "1 story is unread again\n")
    #expect(news("undo", "--list").output.contains("\tdelete\t"))
  }

  @Test("has a rule in place of the setting by which stories came read, and has it once")
  func arrivesRead() throws {
    try copy()
    #expect(news("rules").output.hasPrefix("arrives read\t"))
    serve(2...5)
    #expect(news("fetch").status == 0)
    #expect(try isRead(5) == true && isRead(3) == false)
    #expect(try news.store.rules().map(\.feeds) == [[Self.feed]])
    news("star", "1")
    #expect(news("rules", "remove", "arrives read").status == 0)
    serve(2...6)
    #expect(news("fetch").status == 0)
    #expect(try isRead(6) == false && news.store.rules() == [])
  }

  @Test("of 0.1.0 is read with its marks, numbers and runs")
  func ofFirst() throws {
    try news.store.prepareHome()
    let date = PropertyListValue.date(785_592_000)
    func story(_ number: Int, isRead: Bool) -> PropertyListValue {
      .dictionary([
        "id": .string("000000000000000\(number)"), "title": .string("story \(number)"),
        "pubDate": .string("Fri, 20 Nov 2026 12:00:00 GMT"),
        "link": .string("https://www.example.org/\(number)"),
        "guid": .string("tag:example.org,2026:\(number)"), "guidIsPermaLink": .boolean(false),
        "date": date, "stored": date, "feeds": .array([.string(Self.feed)]),
        "summary": .string("words"), "read": .boolean(isRead),
      ])
    }
    let feed: PropertyListDictionary = [
      "url": .string(Self.feed), "tags": .array([.string("old")]),
      "state": .dictionary(["title": .string("Old"), "newestTitle": .string("story 2")]),
    ]
    let run: PropertyListDictionary = [
      "started": date, "command": .string("refresh"), "outcome": .string("newData"),
      "asked": .integer(1), "failed": .integer(0), "new": .integer(2), "stored": .integer(2),
      "seconds": .real(0.5),
    ]
    let ids = [1, 2].map { PropertyListValue.string("000000000000000\($0)") }
    let files: KeyValuePairs<String, PropertyListValue> = [
      "feeds": .dictionary(["version": .integer(1), "feeds": .array([.dictionary(feed)])]),
      "newsdata": .array([story(2, isRead: false), story(1, isRead: true)]),
      "listing": .array(ids), "ledger": .array([.dictionary(run)]),
    ]
    for (name, value) in files {
      try news.folder.write(PropertyList.encode(value), to: "home/\(name).plist")
    }
    #expect(news("show", "1").output.hasPrefix("story 1"))
    #expect(try isRead(1) == true && isRead(2) == false)
    #expect(news("log").output.contains("refresh"))
    serve(1...3)
    #expect(news("fetch").output.hasPrefix("newData: 1 new in 1 of 1 feeds"))
    #expect(try isRead(1) == true && isRead(3) == false)
    #expect(news("list", "--feed", "tag:old").output.split(separator: "\n").count == 3)
    #expect(try count(in: "ledger") > 0)
  }
}
