import FeedModel
import FeedStorage
import FeedUpdating
import Synchronization
import System
import TestSupport
import Testing

@testable import FeedSync
@testable import NewsCommands

@Suite("A home and a server follow the same feeds")
struct ServerFeedTests {
  private static let feeds = (1...3).map { "https://example.com/feed\($0)" }

  @Test(
    "what is followed on one side is followed on the other, with its folder as a tag",
    arguments: ServerAPI.allCases,
  )
  func follow(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Self.feeds[0], title: "One", labels: ["News"])
    try all.home.store([], subscriptions: [(Self.feeds[1], "Two")])
    #expect(all.home("feeds", "set", Self.feeds[1], "--tag", "Mine").status == 0)
    let result = try all.sync()
    #expect(result.added == 1 && result.sent == 1)
    let library = try all.home.store.read()
    #expect(library.subscriptions.map(\.url) == [Self.feeds[1], Self.feeds[0]])
    #expect(library.subscriptions.map(\.tags) == [["Mine"], ["News"]])
    #expect(library.subscriptions[1].displayTitle == "One")
    #expect(library.subscriptions[1].state.isOnInternet == true)
    #expect(all.server.labels(Self.feeds[1]) == ["Mine"])
    #expect(try all.sync() == SyncResult())
  }

  @Test(
    "whoever ends to follow a feed ends it on both sides; starred stories stay, undo takes it back",
    arguments: ServerAPI.allCases,
  )
  func unfollow(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    for url in Self.feeds { all.server.follow(url) }
    _ = try all.sync()
    var starred = Sample.story(1, "starred", hours: 1, feeds: [Self.feeds[1]])
    starred.isStarred = true
    let stories = [starred, Sample.story(2, "other", hours: 2, feeds: [Self.feeds[1]])]
    try all.home.store.update { _ in
      (LibraryChange(StoryChanges(adding: stories)), ())
    }
    #expect(all.home("unsubscribe", Self.feeds[0]).status == 0)
    all.server.account.withLock { account in account.feeds.removeAll { $0.url == Self.feeds[1] } }
    let result = try all.sync()
    #expect(result.removed == 1 && result.sent == 1)
    #expect(try all.feeds() == [Self.feeds[2]])
    #expect(all.server.labels(Self.feeds[0]) == nil)
    #expect(try Set(all.marks().keys) == ["starred"])
    #expect(try all.home.undoLatest().status == 0)
    #expect(try Set(all.feeds()) == [Self.feeds[1], Self.feeds[2]])
    #expect(try all.sync().sent == 1)
    #expect(all.server.labels(Self.feeds[1]) == [])
  }

  @Test(
    "titles and tags go both ways; where both have changed, those here win",
    arguments: ServerAPI.allCases,
  )
  func names(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Self.feeds[0], title: "Tom’s Feed？")
    try all.home.store([], subscriptions: [])
    try all.home.store.update { _ in
      var feed = Subscription(url: Self.feeds[0])
      (feed.state.title, feed.state.lastSucceeded) = (
        "Tom's Feed?", Date(timeIntervalSince1970: 1),
      )
      return (LibraryChange(subscriptions: [feed]), ())
    }
    #expect(try all.sync() == SyncResult())
    all.home("feeds", "set", Self.feeds[0], "--title", "Mine", "--tag", "a")
    #expect(try all.sync().sent == 1)
    #expect(all.server.account.withLock { $0.feeds[0].title } == "Mine")
    all.server.account.withLock { account in
      account.feeds[0].title = "Theirs"
      account.feeds[0].labels = ["b"]
    }
    #expect(try all.sync().changed == 1)
    #expect(try all.home.store.read().subscriptions.map(\.title) == ["Theirs"])
    #expect(try all.home.store.read().subscriptions.map(\.tags) == [["b"]])
    all.server.account.withLock { $0.feeds[0].labels = ["c"] }
    all.home("feeds", "set", Self.feeds[0], "--tag", "d", "--untag", "b")
    #expect(try all.sync().sent == 1)
    #expect(all.server.labels(Self.feeds[0]) == ["d"])
    #expect(try all.sync() == SyncResult())
  }

  @Test(
    "a name given on the server before a feed was ever fetched here stays; its document's is none",
    arguments: ServerAPI.allCases,
  )
  func ownTitles(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    let titles = ["Theirs", "Feed", "Feed"]
    for (url, title) in zip(Self.feeds, titles) {
      all.server.follow(url, title: title)
      all.home.fetcher.serve(url, .init(body: Sample.rss("Feed", [url])))
    }
    _ = try all.sync()
    let given = { try all.home.store.read().subscriptions.map(\.title) }
    #expect(try all.sync() == SyncResult() && given() == [nil, nil, nil])
    all.home("feeds", "set", Self.feeds[2], "--title", "Mine")
    for _ in 0..<2 {
      all.home.realFetcher = nil
      #expect(all.home("refresh", "--force").status == 0)
      all.home.realFetcher = ReaderFetcher(server: all.server)
      _ = try all.sync()
      #expect(try given() == ["Theirs", nil, "Mine"])
    }
    #expect(all.server.account.withLock { $0.feeds.map(\.title) } == ["Theirs", "Feed", "Mine"])
    #expect(try all.sync() == SyncResult())
  }

  @Test(
    "tags that a server cannot have stay here, and the first stays there",
    arguments: ServerAPI.allCases,
  )
  func oneFolder(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.account.withLock { $0.oneLabel = true }
    all.server.follow(Self.feeds[0])
    _ = try all.sync()
    all.home("feeds", "set", Self.feeds[0], "--tag", "a", "--tag", "b")
    _ = try all.sync()
    #expect(all.server.labels(Self.feeds[0]) == ["a"])
    for _ in 0..<2 { #expect(try all.sync() == SyncResult()) }
    #expect(try all.home.store.read().subscriptions[0].tags == ["a", "b"])
    all.home("feeds", "set", Self.feeds[0], "--tag", "c")
    _ = try all.sync()
    #expect(all.server.labels(Self.feeds[0]) == ["a"])
    all.home("feeds", "set", Self.feeds[0], "--untag", "a")
    _ = try all.sync()
    #expect(all.server.labels(Self.feeds[0]) == ["b"])
    #expect(try all.sync() == SyncResult())
    #expect(try all.home.store.read().subscriptions[0].tags == ["b", "c"])
  }

  @Test(
    "files, accounts and what is in a private network are not told",
    arguments: ServerAPI.allCases,
  )
  func privateFeeds(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Self.feeds[0])
    let own = ["file:///tmp/feed.xml", "https://me:pw@example.com/x", "http://192.168.1.2/feed"]
    try all.home.store([], subscriptions: own.map { ($0, "own") })
    #expect(try all.sync().sent == 0)
    #expect(try all.feeds() == own + [Self.feeds[0]])
    #expect(all.count(\.isOfFeeds) == 0)
  }

  @Test(
    "a feed that the server refuses is told of, and not asked for at every sync",
    arguments: ServerAPI.allCases,
  )
  func refused(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.account.withLock { $0.refusedFeeds = [Self.feeds[1]] }
    all.server.follow(Self.feeds[0])
    try all.home.store([], subscriptions: [(Self.feeds[1], "Two")])
    let said = try all.home.sync(with: all.remote).errors
    let reason = "server answered \(api == .nextcloud ? 422 : 400): Bad Request!"
    #expect(
      said
        == "news: rss: it refuses to follow \(Self.feeds[1]): \(reason); it is asked again in 1 day\n"
    )
    all.server.forget()
    #expect(try all.home.sync(with: all.remote).errors == "" && all.count(\.isOfFeeds) == 0)
    all.server.account.withLock { $0.refusedFeeds = [] }
    all.home.now += 100_000
    #expect(try all.sync().sent == 1)
    #expect(try all.sync() == SyncResult())
  }

  @Test("a feed that has moved here or there is the same feed", arguments: ServerAPI.allCases)
  func moved(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    all.server.follow(Self.feeds[0])
    all.server.follow(Self.feeds[1])
    _ = try all.sync()
    all.home.fetcher.serve(Self.feeds[2], .init(body: Sample.rss("Feed", ["a"])))
    try all.home.store.update { library in
      var feeds = library.subscriptions
      feeds[0].state.formerURLs = [feeds[0].url]
      feeds[0].url = Self.feeds[2]
      var change = LibraryChange(subscriptions: feeds)
      let now = Date(timeIntervalSince1970: all.home.now)
      change.origin = ChangeOrigin(command: "", date: now, isStep: false)
      return (change, ())
    }
    all.server.account.withLock { $0.feeds[1].url = "https://example.org/elsewhere" }
    #expect(try all.sync() == SyncResult())
    #expect(try all.feeds() == [Self.feeds[2], Self.feeds[1]])
    #expect(try all.sync() == SyncResult())
  }

  @Test("what came before an answer that failed is stored, and the rest comes with the next sync")
  func partial() throws {
    let all = try ServedHomes()
    all.server.follow(Self.feeds[0])
    for number in 1...300 {
      let date = ServedHomes.date(number % 24)
      all.server.add("https://example.com/\(number)", "s\(number)", of: Self.feeds[0], date: date)
    }
    var server = CommandRun.readerServer
    server.fetchesStories = true
    all.server.fail { request in
      request.name == "items/contents" && request.form["i"]?.count == 50 ? .page(503, "") : nil
    }
    let first = try all.home.sync(with: server)
    #expect(try first.result.get().stories == 250)
    #expect(first.errors.hasSuffix("; the rest follows with the next sync\n"))
    all.server.fail(nil)
    #expect(try all.home.sync(with: server).result.get().stories == 50)
    #expect(try all.home.store.read().items.count == 300)
  }

  @Test("a home that serves another tells it no command for a feed, and no text for a title")
  func servingHome() throws {
    let (all, served) = (try ServedHomes(), try ModelServedHome())
    all.server.home.withLock { $0 = { served.answer($0, isKilled: $1) } }
    let feeds = [(Sample.feed, "Example"), ("exec:scrape --key s3cret", "Command")]
    try served.home.store([Sample.story(1, "", hours: 1)], subscriptions: feeds)
    var server = CommandRun.readerServer
    server.fetchesStories = true
    #expect(try all.home.sync(with: server).result.get().stories == 1)
    let library = try all.home.store.read()
    #expect(library.subscriptions.map(\.url) == [Sample.feed])
    let story = try library.items.item(at: 0)
    #expect(story.item.title == "" && story.item.guid == "guid 1")
  }

  @Test(
    "a server that fetches brings stories and texts, and its feeds are not asked",
    arguments: ServerAPI.allCases,
  )
  func serverFetches(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    var server = all.remote
    server.fetchesStories = true
    all.server.follow(Sample.feed, title: "Example")
    all.server.add("https://example.com/1", "one", date: 1_793_500_100, isRead: true)
    all.server.add("https://example.com/2", "two", isStarred: true)
    all.server.change("two") { $0.html = "<p>Whole text of two.</p>" }
    let result = try all.home.sync(with: server).result.get()
    #expect(result.stories == 2 && result.added == 1)
    #expect(try all.marks() == ["one": "read", "two": "- starred"])
    #expect(all.home("show", "2").output.contains("Whole text of two."))
    #expect(try all.home.store.read().subscriptions.map(\.state.server) == ["rss"])
    all.home.realFetcher = nil
    all.home("refresh")
    #expect(all.home.fetcher.requests.isEmpty)
    all.home.realFetcher = ReaderFetcher(server: all.server)
    all.server.add("https://example.com/3", "three")
    all.home("unread", "1")
    let next = try all.home.sync(with: server).result.get()
    #expect(next.stories == 1 && next.sent == 2)
    #expect(try all.home.sync(with: server).result.get() == SyncResult())
    all.home("clear", "--yes")
    #expect(try all.home.sync(with: server).result.get().stories == 3)
    #expect(try all.marks() == ["one": "-", "two": "read starred", "three": "-"])
    try all.home.store.forgetServer("rss")
    #expect(try all.home.store.read().subscriptions.map(\.state.server) == [nil])
    #expect(try all.home.store.serverState("rss") == nil)
  }

  @Test(
    "what was deleted as read stays away, though all of another feed is asked for again",
    arguments: ServerAPI.allCases,
  )
  func clearedAsRead(_ api: ServerAPI) throws {
    let all = try ServedHomes(api: api)
    var server = all.remote
    server.fetchesStories = true
    for (url, title) in zip(Self.feeds, ["one", "two"]) {
      all.server.follow(url, title: title)
      all.server.add("https://example.com/\(title)", title, of: url)
    }
    #expect(try all.home.sync(with: server).result.get().stories == 2)
    all.home("read", "--all", "--feed", Self.feeds[1])
    all.home("delete", "--all", "--grep", "is:read", "--yes")
    #expect(try all.marks() == ["one": "-"])
    all.home("clear", "--yes", "--feed", Self.feeds[0])
    #expect(try all.home.sync(with: server).result.get().stories == 1)
    #expect(try all.marks() == ["one": "-"])
  }
}
