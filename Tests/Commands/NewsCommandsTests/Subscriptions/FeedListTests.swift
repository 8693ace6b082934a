import FeedFetching
import FeedModel
import FeedStorage
import Testing

@Suite("A list on the web that is followed: its feeds come and go with it")
struct FeedListTests {
  private static let list = "https://lists.example/planet.opml"
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    for name in Self.names {
      news.fetcher.serve(Self.url(name), .init(body: Sample.rss(name, [name])))
    }
  }

  private static let names = (0..<40).map { "f\($0)" }
  private static func url(_ name: String) -> String { "https://\(name).example/feed" }

  private func serve(
    _ names: [String],
    title: String = "Planet",
    etag: String? = nil,
    at url: String = FeedListTests.list,
  ) {
    let outlines = names.map { "<outline text=\"\($0)\" xmlUrl=\"\(Self.url($0))\"/>" }
    let head = "<head><title>\(title)</title></head>"
    let body = "<opml version=\"2.0\">\(head)<body>\(outlines.joined())</body></opml>"
    news.fetcher.serve(url, .init(body: body, etag: etag))
  }

  private func follow(_ names: [String]) {
    serve(names)
    let result = news("subscribe", "--list", Self.list)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// Fetches a week later, and returns what was said.
  private func nextWeek() -> String {
    news.now += 7 * 86_400
    return news("fetch").errors
  }

  private func feeds() throws -> [String] {
    try news.store.read().subscriptions.map { $0.url.dropFirst(8).prefix { $0 != "." } }
      .map(String.init)
  }

  private func asked() -> Int { news.fetcher.requests.count { $0.url == Self.list } }

  @Test("its feeds are followed under a tag of its own, and say where they came from")
  func first() throws {
    follow(["f0", "f1"])
    let subscriptions = try news.store.read().subscriptions
    #expect(subscriptions.map(\.tags) == [["Planet"], ["Planet"]])
    #expect(subscriptions.map(\.list) == [Self.list, Self.list])
    #expect(news("feeds", "--json").output.contains("\"list\":\"\(Self.list)\""))
    #expect(news("why", "f0").output.contains("came by \(Self.list)"))
    news.useTerminal(200)
    #expect(news("feeds").errors.contains("2 feeds by the list Planet, asked next"))
  }

  @Test("a week later feeds have come and gone, each week once, and one step takes them back")
  func changes() throws {
    follow(["f0", "f1", "f2", "f3", "f4", "f5"])
    #expect(news("fetch").status == 0)
    serve(["f1", "f2", "f3", "f4", "f5", "f6"])
    news.now += 3 * 86_400
    news("fetch")
    #expect(asked() == 1)
    #expect(nextWeek().contains("the list Planet: 1 new feed, 1 gone"))
    #expect(asked() == 2)
    #expect(try feeds() == ["f1", "f2", "f3", "f4", "f5", "f6"])
    #expect(news("undo", "--list").output.contains("list Planet"))
    try news.undoLatest()
    #expect(try feeds() == ["f0", "f1", "f2", "f3", "f4", "f5"])
    _ = nextWeek()
    // What the user has taken back stays so.
    #expect(try feeds() == ["f0", "f1", "f2", "f3", "f4", "f5"])
  }

  @Test("what the user followed before stays his, and what he has ended does not come back")
  func own() throws {
    news("subscribe", "--tag", "mine", Self.url("f0"))
    follow(["f0", "f1", "f2", "f3", "f4", "f5", "f6"])
    #expect(try news.store.read().subscriptions.first?.tags == ["mine"])
    #expect(news("unsubscribe", "f1").status == 0)
    #expect(news("subscribe", Self.url("f2")).errors.contains("yours from now on"))
    serve(["f1", "f3", "f4", "f5", "f6"])
    _ = nextWeek()
    #expect(try feeds() == ["f0", "f2", "f3", "f4", "f5", "f6"])
  }

  @Test("many at once wait until the user says so")
  func many() throws {
    follow(["f0", "f1", "f2"])
    serve(Array(Self.names.prefix(30)))
    let said = nextWeek()
    #expect(said.contains("27 new feeds; nothing is changed until you say so"), "\(said)")
    #expect(try feeds().count == 3)
    news.useTerminal(200)
    #expect(news("feeds").errors.contains("news subscribe --list \(Self.list)"))
    #expect(news("subscribe", "--list", "--yes", Self.list).status == 0)
    #expect(try feeds().count == 30)
    serve(["f0"])
    #expect(nextWeek().contains("29 gone; nothing is changed"))
    #expect(try feeds().count == 30)
    #expect(news("feeds").errors.contains("has changed much"))
  }

  @Test(
    "a list that is gone, empty, cut off or a page takes nothing away",
    arguments: [
      nil, "<opml version=\"2.0\"><body/></opml>", "<!DOCTYPE html><html><body>Hello</body></html>",
      "", "<opml><body><outline xmlUrl=\"https://f0.example/feed\"/>", "{}",
    ],
  )
  func vanished(_ body: String?) throws {
    follow(["f0", "f1"])
    news.fetcher.serve(
      Self.list,
      body.map { .init(body: $0) } ?? .init(error: .status(404)),
    )
    #expect(nextWeek().contains("; its feeds stay"))
    #expect(try feeds() == ["f0", "f1"])
    news.now += 86_400
    serve(["f0", "f1", "f2"])
    #expect(news("fetch").errors.contains("1 new feed"))
  }

  @Test("an unchanged list costs a 304")
  func unchanged() throws {
    serve(["f0"], etag: "\"1\"")
    news("subscribe", "--list", Self.list)
    #expect(!nextWeek().contains("Planet"))
    #expect(news.fetcher.requests.last { $0.url == Self.list }?.validators?.etag == "\"1\"")
    #expect(try feeds() == ["f0"])
  }

  @Test("a newly typed password replaces the stored one, and none stands in the feeds of the list")
  func password() throws {
    let lists = ["old", "new"].map { "https://me:\($0)@lists.example/planet.opml" }
    serve(["f0", "f1"], at: lists[0])
    #expect(news("subscribe", "--list", lists[0]).status == 0)
    let name = "https://me@lists.example/planet.opml"
    #expect(try news.store.read().subscriptions.map(\.list) == [name, name])
    #expect(news("subscribe", "--list", lists[1]).status == 1)
    #expect(try news.store.read().feeds.lists.map(\.url) == [lists[0]])
    serve(["f0", "f1"], at: lists[1])
    let again = news("subscribe", "--list", lists[1]).errors
    #expect(again == "the list Planet: asked with another password\n")
    #expect(try news.store.read().feeds.lists.map(\.url) == [lists[1]])
    // As it is printed.
    let printed = "https://***@lists.example/planet.opml"
    #expect(news("subscribe", "--list", printed).status == 0)
    let other = news("subscribe", "--list", "http://me:x@lists.example/planet.opml").errors
    #expect(other.contains("the password is not taken: the list is followed at \(printed)\n"))
    #expect(try news.store.read().feeds.lists.map(\.url) == [lists[1]])
    serve(["f0"], at: lists[1])
    #expect(nextWeek().contains("the list Planet: 1 gone"))
    #expect(try feeds() == ["f0"])
  }

  @Test("a list ends with its feeds, and undo brings it and them back")
  func ends() throws {
    news("subscribe", Self.url("f9"))
    follow(["f0", "f1"])
    #expect(news("unsubscribe", "--list", "planet").status == 64)
    let said = news("unsubscribe", "--list", "planet", "--yes").errors
    #expect(said.contains("no longer following the list Planet"))
    #expect(try feeds() == ["f9"])
    #expect(try news.store.read().feeds.lists.isEmpty)
    #expect(news("undo").errors.contains("following the list Planet again"))
    #expect(try feeds() == ["f9", "f0", "f1"])
    serve(["f0", "f1", "f2"])
    _ = nextWeek()
    #expect(try feeds() == ["f9", "f0", "f1", "f2"])
    #expect(news("unsubscribe", "--list", "other", "--yes").errors.contains("no list of that URL"))
  }

  @Test("undo of following a list ends it, and redo follows it again")
  func undone() throws {
    follow(["f0", "f1"])
    #expect(news("undo").errors.contains("no longer following the list Planet"))
    serve(["f0", "f1", "f2"])
    _ = nextWeek()
    #expect(try feeds().isEmpty && asked() == 1)
    #expect(news("redo").status == 0)
    #expect(try feeds() == ["f0", "f1"])
    #expect(try news.store.read().feeds.lists.map(\.url) == [Self.list])
  }

  @Test("a feed that two lists have goes with the last of them")
  func two() throws {
    follow(["f0", "f1", "f2", "f3", "f4", "f5"])
    followSecond()
    serve(["f1", "f2", "f3", "f4", "f5"])
    _ = nextWeek()
    let feed = try news.store.read().subscriptions.first { $0.url == Self.url("f0") }
    #expect(feed?.list == Self.second && feed?.tags == ["Second"])
  }

  private static let second = "https://other.example/list.opml"

  private func followSecond() {
    let outline = "<outline text=\"f0\" xmlUrl=\"\(Self.url("f0"))\"/>"
    let body = "<opml><head><title>Second</title></head><body>\(outline)</body></opml>"
    news.fetcher.serve(Self.second, .init(body: body))
    #expect(news("subscribe", "--list", Self.second).status == 0)
  }

  @Test("the end of a list leaves the feeds of another list, unless that one ends with it")
  func heirs() throws {
    follow(["f0", "f1"])
    followSecond()
    #expect(news("unsubscribe", "--list", "planet", "--yes").status == 0)
    #expect(try feeds() == ["f0"])
    let feed = try news.store.read().subscriptions.first
    #expect(feed?.list == Self.second && feed?.tags == ["Second"])
    follow(["f0", "f1"])
    let said = news("unsubscribe", "--list", "planet", "second", "--yes").errors
    #expect(said.contains("the list Planet") && said.contains("the list Second"))
    #expect(try feeds().isEmpty)
    #expect(try news.store.read().feeds.lists.isEmpty)
  }

  @Test("a feed of the user's own that becomes one with a list's stays, whatever the list drops")
  func becomesOne() throws {
    news.fetcher.serve(Self.url("own"), .init(body: Sample.rss("Own", ["one"])))
    #expect(news("subscribe", Self.url("own")).status == 0)
    follow(["f0", "f1"])
    #expect(news("move", Self.url("own"), Self.url("f1"), "--merge", "--no-check").status == 0)
    serve(["f0"])
    _ = nextWeek()
    #expect(try feeds().sorted() == ["f0", "f1"])
  }

  @Test("a feed stays whose address the list writes otherwise, and one that has moved")
  func corrected() throws {
    follow(["f0", "f1"])
    #expect(news("move", Self.url("f1"), Self.url("f9"), "--no-check").status == 0)
    serve(["F0", "f1"])
    _ = nextWeek()
    #expect(try feeds() == ["f0", "f9"])
    serve(["f0", "f9"])
    _ = nextWeek()
    #expect(try feeds() == ["f0", "f9"])
    serve(["f0"])
    _ = nextWeek()
    #expect(try feeds() == ["f0"])
  }

  @Test("it is asked with its own proxy, and brings no feed of a private network or of a command")
  func confined() throws {
    let outlines = [
      "http://localhost/x", "exec:date", "file:///etc/passwd", "saved:", Self.url("f0"),
    ]
    .map { "<outline text=\"x\" xmlUrl=\"\($0)\"/>" }
    let body = "<opml><body>\(outlines.joined())</body></opml>"
    news.fetcher.serve(Self.list, .init(body: body))
    let result = news("subscribe", "--list", "--proxy", "socks5h://127.0.0.1:9050", Self.list)
    #expect(result.errors.contains("left out"))
    #expect(try feeds() == ["f0"])
    #expect(news.fetcher.requests.first?.route.proxy == "socks5h://127.0.0.1:9050")
    #expect(try news.store.read().subscriptions[0].tags == ["lists.example"])
    #expect(news("subscribe", "--list", "/tmp/x.opml").status == 1)
    #expect(news("subscribe", "--list", "--no-texts", Self.list).status == 64)
    #expect(news("subscribe", "--list", "--max-size", "1", Self.list).status == 64)
  }
}
