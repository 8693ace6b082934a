import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import FeedUpdating

@Suite("Feeds that say or show that they are elsewhere")
struct AnnouncedMoveTests {
  private final class Site: Sendable {
    let answers = Mutex<[String: FaultyAnswer]>([:])

    func answer(_ request: FaultyRequest) -> FaultyAnswer {
      answers.withLock { $0[request.path] } ?? .response(status: "404 No", body: "")
    }
  }

  private let news: CommandRun
  private let site = Site()
  private let server: FaultyServer

  init() throws {
    news = try CommandRun()
    news.realFetcher = SourceFetcher()
    server = try FaultyServer { [site] in site.answer($0) }
  }

  private func serve(
    _ path: String,
    _ stories: Range<Int>,
    movedTo place: String? = nil,
    page: String? = nil,
  ) {
    let items = stories.map { number in
      "<item><title>s\(number)</title><guid isPermaLink=\"false\">g\(number)</guid></item>"
    }
    let move =
      (place.map { "<itunes:new-feed-url>\($0)</itunes:new-feed-url>" } ?? "")
      + (page.map { "<link>\(server.url($0))</link>" } ?? "")
    let text =
      "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel>"
      + "<title>Pod</title>\(move)\(items.joined())</channel></rss>"
    site.answers.withLock { $0[path] = .response(body: text) }
  }

  private func feeds() throws -> [String] { try news.store.read().subscriptions.map(\.url) }

  @Test("a feed is followed to where it says that it lives, once the same stories are there")
  func follows() throws {
    serve("/old", 0..<4, movedTo: server.url("/new"))
    serve("/new", 1..<8)
    #expect(news("subscribe", "--allow-private", server.url("/old")).status == 0)
    let said = news("refresh").errors
    #expect(
      said.contains(
        "\(server.url("/old")): moved for good to \(server.url("/new")), as the feed itself says"
      ),
      "\(said)",
    )
    #expect(try feeds() == [server.url("/new")])
    #expect(try news.store.read().subscriptions[0].state.formerURLs == [server.url("/old")])
    #expect(news("refresh").status == 0)
    #expect(try news.store.read().items.count == 8)
    #expect(server.requests(for: "/old").count <= 2)
  }

  @Test("where other stories are, it is told, and looked at once a week")
  func others() throws {
    serve("/old", 0..<4, movedTo: server.url("/new"))
    serve("/new", 20..<30)
    #expect(news("subscribe", "--allow-private", server.url("/old")).status == 0)
    for _ in 0..<4 {
      news("refresh")
      news.now += 86_400
    }
    #expect(server.requests(for: "/new").count == 1)
    #expect(try feeds() == [server.url("/old")])
    #expect(news("feeds", "--json").output.contains("\"newLocation\":\"\(server.url("/new"))\""))
    let words =
      "its document says that it lives at \(server.url("/new")) now, where it was not found"
    let why = news("why", "Pod").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(why.contains(words), "\(why)")
    #expect(news("doctor", "--offline").output.contains("news move "))
    news.now += 7 * 86_400
    serve("/new", 0..<3)
    news("refresh")
    #expect(try feeds() == [server.url("/new")])
  }

  @Test("a file stays a file, and what has headers for its site is not followed to another")
  func chosen() throws {
    serve("/new", 0..<4)
    let document =
      "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel>"
    let item = "<item><title>s0</title><guid isPermaLink=\"false\">g0</guid></item>"
    let path = try news.folder.write(
      "\(document)<itunes:new-feed-url>\(server.url("/new"))</itunes:new-feed-url>\(item)</channel></rss>",
      to: "pod.xml",
    )
    #expect(news("subscribe", path).status == 0)
    let place = server.url("/new").replacing("127.0.0.1", with: "localhost")
    serve("/old", 0..<4, movedTo: place)
    let old = server.url("/old")
    #expect(news("subscribe", "--allow-private", old).status == 0)
    #expect(news("feeds", "set", old, "--header", "X-Key: 1").status == 0)
    news("refresh", "--force")
    #expect(try feeds().count == 2 && feeds().contains(old))
    #expect(server.requests(for: "/new").isEmpty)
    #expect(news("why", old).output.contains("lives at"))
  }

  @Test("a feed of the internet is followed into no private network, nor from https to http")
  func guarded() throws {
    serve("/old", 0..<4, movedTo: server.url("/new"))
    serve("/new", 0..<4)
    news("subscribe", "--allow-private", server.url("/old"))
    try news.store.update { library in
      var feeds = library.subscriptions
      feeds[0].state.isOnInternet = true
      return (LibraryChange(subscriptions: feeds), ())
    }
    let tools = RunTools(
      SourceFetcher(),
      options: FetchOptions(),
      in: news.store,
      clock: RefreshRunClock(date: Date(), deadline: nil),
      FetchCancellation(),
      now: { Date() },
    )
    let moves = AnnouncedMoves(tools)
    var report = RefreshReport()
    report.feeds = [FeedReport(url: server.url("/old"), title: "", outcome: .noData)]
    report.feeds[0].announcesMove = true
    #expect(try moves.follow(after: report) == [])
    #expect(server.requests(for: "/new").isEmpty)
  }

  @Test("a feed whose new host leads back stays where it is, and nothing of it is forgotten")
  func backFromHost() throws {
    serve("/feed", 0..<4)
    let (old, answers) = (server.url("/feed"), site.answers.withLock { $0 })
    #expect(news("subscribe", "--allow-private", old).status == 0)
    let there = try FaultyServer { _ in .redirect(301, to: old) }
    let port = try #require(there.url("").split(separator: ":").last)
    #expect(!answers.isEmpty)
    let state = try news.store.read().subscriptions[0].state
    let said = news("move", "--host", "127.0.0.1", "127.0.0.1:\(port)")
    #expect(said.status == 0 && said.errors.contains("is there already"), "\(said)")
    #expect(try news.store.read().subscriptions[0].state == state)
    #expect(!news("undo", "--list").output.contains("move"))
  }

  /// Follows a feed that is then elsewhere, and one that works, and fetches each day.
  private func lose(
    _ days: Int,
    page: String? = nil,
    answer: FaultyAnswer? = nil,
  ) throws -> String {
    for path in ["/old", "/other"] {
      serve(path, 0..<4, page: page)
      #expect(news("subscribe", "--allow-private", server.url(path)).status == 0)
    }
    site.answers.withLock { $0["/old"] = answer }
    return pass(days)
  }

  @discardableResult private func pass(_ days: Int) -> String {
    var said = ""
    for _ in 0..<days {
      news.now += 86_400
      said += news("fetch").errors
    }
    return said
  }

  private var named: FaultyAnswer {
    .response(
      headers: ["Content-Type: text/html"],
      body: "<html><head><link rel=alternate type='application/rss+xml' href='/new'></head></html>",
    )
  }

  @Test("a feed that fails for three days is looked for on its site, and what is found is named")
  func search() throws {
    site.answers.withLock { $0["/"] = named }
    serve("/new", 2..<9)
    let (old, new) = (server.url("/old"), server.url("/new"))
    #expect(try !lose(2).contains("names another") && server.requests(for: "/").isEmpty)
    let words = "its site names another feed; if it is the same: `news move \(old) \(new)`"
    let said = pass(1)
    #expect(said.contains("\(old): \(words)\n"), "\(said)")
    #expect(!pass(5).contains(words))
    #expect(server.requests(for: "/").count == 1 && server.requests(for: "/new").count == 1)
    #expect(news("refresh").errors.contains("; \(words)"))
    #expect(news("feeds", "--json").output.contains("\"newLocation\":\"\(new)\""))
    let why = news("why", old).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(why.contains(words), "\(why)")
    #expect(news("doctor", "--offline").output.contains("news move \(old) \(new)"))
    pass(3)
    #expect(server.requests(for: "/").count == 2)
    #expect(try feeds() == [old, server.url("/other")])
    #expect(news("move", old, new).status == 0)
    #expect(news("feeds", "--json").output.contains("\"newLocation\":null"))
  }

  @Test("a feed that works again is looked for no more, and a page of the site that fails ends it")
  func worksAgain() throws {
    site.answers.withLock { $0["/"] = named }
    serve("/new", 2..<9)
    _ = try lose(3)
    serve("/old", 0..<5)
    pass(1)
    #expect(!news("feeds", "--json").output.contains("\"newLocation\":\""))
    site.answers.withLock { answers in
      answers["/old"] = nil
      answers["/"] = nil
    }
    #expect(!pass(4).contains("names another"))
    #expect(server.requests(for: "/").count == 2 && server.requests(for: "/feed").isEmpty)
  }

  @Test("where a site names no feed, the usual addresses are asked; what is no feed is not named")
  func usual() throws {
    site.answers.withLock { $0["/"] = .response(body: "<html><p>Hello</p></html>") }
    site.answers.withLock { $0["/feed"] = .response(body: "<html><p>Hello</p></html>") }
    serve("/atom.xml", 0..<4)
    #expect(try lose(3).contains("news move \(server.url("/old")) \(server.url("/atom.xml"))`"))
    #expect(server.requests(for: "/feed").count == 1)
  }

  @Test("a feed that is gone is not asked, and its site is, once, after three days")
  func gone() throws {
    site.answers.withLock { $0["/"] = named }
    serve("/new", 2..<9)
    let gone = FaultyAnswer.response(status: "410 Gone", body: "")
    let said = try lose(3, page: "/", answer: gone)
    #expect(!said.contains("names another") && server.requests(for: "/").isEmpty)
    #expect(pass(1).contains("news move \(server.url("/old")) \(server.url("/new"))`"))
    pass(14)
    #expect(server.requests(for: "/").count == 1)
    #expect(news("doctor", "--offline").output.contains("news move "))
  }

  @Test("the site of a feed of the internet is not looked for in a private network")
  func guardedSearch() throws {
    site.answers.withLock { $0["/"] = named }
    _ = try lose(0)
    try news.store.update { library in
      var feeds = library.subscriptions
      (feeds[0].state.isOnInternet, feeds[0].state.link) = (true, server.url("/"))
      feeds[0].url = "https://gone.invalid/feed"
      return (LibraryChange(subscriptions: feeds), ())
    }
    pass(5)
    #expect(server.requests(for: "/").isEmpty)
  }

  @Test("an address that leads to a feed that is followed already is not named")
  func known() throws {
    site.answers.withLock { answers in
      answers["/"] = named
      answers["/new"] = .redirect(302, to: "/other")
    }
    #expect(try !lose(4).contains("names another"))
    #expect(server.requests(for: "/new").count == 1)
  }

  @Test("a site is asked for one feed in a run")
  func oneOfSite() throws {
    _ = try lose(0, page: "/a")
    serve("/third", 0..<4, page: "/b")
    #expect(news("subscribe", "--allow-private", server.url("/third")).status == 0)
    site.answers.withLock { $0["/third"] = nil }
    pass(3)
    #expect(server.requests(for: "/a").count + server.requests(for: "/b").count == 1)
    pass(1)
    #expect(server.requests(for: "/a").count + server.requests(for: "/b").count == 2)
  }

  @Test("the new address of a feed with an account is named without it")
  func account() throws {
    site.answers.withLock { $0["/"] = named }
    serve("/new", 2..<9)
    _ = try lose(0)
    try news.store.update { library in
      var feeds = library.subscriptions
      feeds[0].url = feeds[0].url.replacing("://", with: "://me:secret@")
      return (LibraryChange(subscriptions: feeds), ())
    }
    pass(4)
    #expect(try news.store.read().subscriptions[0].state.newAddress == server.url("/new"))
  }

  @Test("a page of the internet names nothing in a private network, and takes no account elsewhere")
  func trust() {
    var feed = Subscription(url: "https://me:secret@192.168.1.2/feed")
    feed.state.isOnInternet = false
    var page = FetchResponse(status: 200, url: "https://evil.example/")
    page.trust = .internet
    let place = "https://192.168.1.2/other"
    let request = FetchRequest(feed, at: place, namedBy: page, asked: page.url)
    #expect(!request.trust.reachesPrivateNetworks && !request.trust.givesPasswords)
    #expect(request.url == place)
    #expect(FetchRequest(feed, at: place).url == "https://me:secret@192.168.1.2/other")
  }

  @Test("a server that had a second before the deadline has had its turn")
  func turn() {
    #expect(FetchError.deadline.hadItsTurn(after: .seconds(1)))
    #expect(!FetchError.deadline.hadItsTurn(after: .milliseconds(999)))
    #expect(!FetchError.notBegun.hadItsTurn(after: .seconds(9)))
    #expect(FetchError.status(404).hadItsTurn(after: .zero))
  }

  @Test("a page in place of the feed says where a redirect led; nobody is told to leave it at once")
  func login() throws {
    serve("/feed", 0..<2)
    #expect(news("subscribe", "--allow-private", server.url("/feed")).status == 0)
    site.answers.withLock { answers in
      answers["/feed"] = .redirect(302, to: "/login")
      answers["/login"] = .response(body: "<html><title>Log in</title><p>Please</p></html>")
    }
    let page = news("subscribe", "--allow-private", server.url("/feed?other")).errors
    #expect(page.contains("it announces none; it redirects to \(server.url("/login"))"), "\(page)")
    news.now += 3_600
    let first = news("refresh").errors
    #expect(
      first.contains("a web page, not a feed; the feed redirects to \(server.url("/login"))"),
      "\(first)",
    )
    #expect(!first.contains("unsubscribe"), "\(first)")
    for _ in 0..<4 {
      news.now += 86_400
      news("refresh")
    }
    #expect(news("refresh").errors.contains("unsubscribe"))
  }
}
