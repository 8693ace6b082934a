import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("news move gives a feed another URL, and keeps what is its own")
struct MoveCommandTests {
  private let new = "https://new.example/feed.xml"

  private func urls(_ news: CommandRun) throws -> [String] {
    try news.store.read().subscriptions.map(\.url)
  }

  private func stories(_ news: CommandRun) throws -> [StoredItem] {
    let items = try news.store.read().items
    return try (0..<items.count).map { try items.item(at: $0) }
  }

  @Test("stories, marks, order, tags and title stay; what belongs to the old URL goes")
  func move() throws {
    let news = try CommandRun()
    try news.storeSample()
    try news.change {
      $0[0].tags = ["work"]
      $0[0].state.title = "The feed's own title"
      $0[0].state.validators = CacheValidators(etag: "\"1\"", lastModified: nil, url: Sample.feed)
      $0[0].state.lastError = "server answered 410"
      $0[0].state.isGone = true
      $0[0].state.failures = 2
    }
    let before = try stories(news)
    #expect(
      news("move", "example.com", new, "--no-check")
        == CommandResult(
          output: "",
          errors: "moved Example to \(new) (4 stories kept)\n",
          status: 0,
        )
    )
    #expect(try urls(news) == [new, Sample.other])
    let moved = try news.store.read().subscriptions[0]
    #expect(moved.title == "Example" && moved.tags == ["work"])
    #expect(moved.state.validators == nil && !moved.state.isGone && moved.state.failures == 0)
    #expect(moved.state.lastError == nil)
    let expected = before.map { story in
      var story = story
      story.feeds = story.feeds.map { $0 == Sample.feed ? new : $0 }
      return story
    }
    #expect(try stories(news) == expected)
    #expect(news("list", "--feed", "new.example").output.split(separator: "\n").count == 4)
  }

  @Test("--host moves all feeds of a host in one step, with their stories, accounts and ports")
  func host() throws {
    let news = try CommandRun()
    let old = [
      "https://old.example/a", "http://ann@OLD.example:8080/b?x=1#f", "https://other.example/old",
    ]
    for (url, title) in zip(old, ["A", "B", "C"]) {
      news.fetcher.serve(url, .init(body: Sample.rss(title, [title])))
    }
    for url in old { #expect(news("subscribe", url).status == 0) }
    let before = try stories(news).map(\.item.title)
    let urls = try urls(news)
    let result = news("move", "--host", "old.example", "new.example", "--no-check")
    #expect(result.errors.split(separator: "\n").count == 2, "\(result.errors)")
    let moved = try self.urls(news)
    #expect(moved[0] == "https://new.example/a" && moved[2] == old[2])
    #expect(moved[1].hasPrefix("http://ann@new.example:8080/b?x=1"))
    #expect(try stories(news).map(\.item.title) == before)
    #expect(try stories(news).allSatisfy { Set($0.feeds).isSubset(of: moved) })
    #expect(news("undo").status == 0)
    #expect(try self.urls(news) == urls)
    #expect(try stories(news).allSatisfy { Set($0.feeds).isSubset(of: urls) })
  }

  @Test(
    "--host moves nothing where one of the feeds is not at the new host, or the words are wrong"
  )
  func hostRefused() throws {
    let news = try CommandRun()
    let old = ["https://old.example/a", "https://old.example/b"]
    for url in old { news.fetcher.serve(url, .init(body: Sample.rss(url, [url]))) }
    for url in old { #expect(news("subscribe", url).status == 0) }
    news.fetcher.serve("https://new.example/a", .init(body: Sample.rss("a", ["a"])))
    let result = news("move", "--host", "old.example", "new.example")
    #expect(
      result.status == 1
        && result.errors.hasPrefix("news: nothing was moved: https://new.example/b")
    )
    #expect(try urls(news) == old)
    for words in [
      ["old.example"], ["old.example", "a/b"], ["old.example", "new", "--merge"],
      ["old.example", "OLD.example"],
    ] {
      #expect(news.run(["move", "--host"] + words).status == 64)
    }
    #expect(news("move", "--host", "gone.example", "new.example").status == 1)
    #expect(try urls(news) == old)
  }

  @Test("--host stores the stories that the new host has, and refuses a page")
  func storedAtHost() throws {
    let news = try CommandRun()
    let old = "https://old.example/feed"
    news.fetcher.serve(old, .init(body: Sample.rss("A", ["one"])))
    #expect(news("subscribe", old).status == 0)
    news.fetcher.serve("https://new.example/feed", .init(body: "<html><title>A</title></html>"))
    #expect(news("move", "--host", "old.example", "new.example").status == 1)
    #expect(try urls(news) == [old])
    news.fetcher.serve("https://new.example/feed", .init(body: Sample.rss("A", ["one", "two"])))
    #expect(news("move", "--host", "old.example", "new.example").status == 0)
    #expect(try urls(news) == ["https://new.example/feed"])
    #expect(try Set(stories(news).compactMap(\.item.title)) == ["one", "two"])
  }

  @Test("a feed that has moved is due at once, and feeds says so")
  func due() throws {
    let news = try CommandRun()
    try news.storeSample()
    try news.change { subscriptions in
      for place in subscriptions.indices {
        subscriptions[place].state.nextDue = Sample.story(1, "", hours: -2).stored
      }
    }
    #expect(news("move", "example.com", new, "--no-check").status == 0)
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    let lines = news("feeds").output.split(separator: "\n")
    #expect(lines[1].hasPrefix("Example ") && lines[1].hasSuffix("  now"))
    #expect(lines[2].hasPrefix("Other Feed ") && lines[2].hasSuffix("  in 2 h"))
    #expect(news("fetch", "--due", "--json").output.contains("\"url\":\"\(new)\""))
  }

  @Test("the next refresh asks the new URL with what it answered, and doubles nothing")
  func refresh() throws {
    let news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a", "b"])))
    news("refresh", Sample.feed)
    news("star", "--all")
    news.fetcher.serve(new, .init(body: Sample.rss("Example", ["c", "a", "b"]), etag: "\"2\""))
    #expect(news("move", "example", new).status == 0)
    #expect(news("refresh").status == 0)
    let last = try #require(news.fetcher.requests.last)
    #expect(last.url == new && last.validators?.etag == "\"2\"")
    let all = try stories(news)
    #expect(all.map(\.item.title).sorted() == ["a", "b", "c"])
    #expect(all.count(where: \.isStarred) == 2 && all.allSatisfy { $0.feeds == [new] })
  }

  @Test("the old URL, followed anew, is what undo ends, and not the feed that has moved")
  func followedAgain() throws {
    let news = try CommandRun()
    for url in [Sample.feed, new] {
      news.fetcher.serve(url, .init(body: Sample.rss("Example", ["a", "b"])))
    }
    news("subscribe", Sample.feed)
    news("move", "example", new)
    let list = "<opml><body><outline xmlUrl=\"\(Sample.feed)\"/></body></opml>"
    news("import", try news.folder.write(list, to: "list.opml"))
    try #require(try news.store.read().subscriptions.count == 2)
    news("undo")
    #expect(try news.store.read().subscriptions.map(\.url) == [new])
  }

  @Test(
    "where redirects led, the server's wish goes along; another server has none",
    arguments: ["https://new.example", "https://other.example"],
  )
  func hold(_ server: String) throws {
    let news = try CommandRun()
    try news.storeSample()
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    try news.store.update { (_) in
      let hold = RetryTime(server: server, status: 429, since: now, until: now + 9_000)
      var change = LibraryChange()
      change.feeds.retryTimes = [Sample.feed: hold]
      return (change, ())
    }
    #expect(news("move", "example.com", new, "--no-check").status == 0)
    let held = try news.store.read().retryTimes[new]
    #expect((held != nil) == (server == "https://new.example"))
  }

  @Test("a page, an answer that is no feed, and an error move nothing")
  func refused() throws {
    let news = try CommandRun()
    try news.storeSample()
    let before = try news.store.read().subscriptions
    let link = "<link rel=alternate type='application/rss+xml' href='/feed.xml' title='All'>"
    news.fetcher.serve("https://page.example/", .init(body: "<!DOCTYPE html><html>\(link)</html>"))
    news.fetcher.serve("https://plain.example/", .init(body: "<!DOCTYPE html><html></html>"))
    news.fetcher.serve("https://xml.example/", .init(body: "<opml version='2.0'/>"))
    for (url, message) in [
      (
        "https://page.example/",
        "a web page, not a feed; it announces:\n  https://page.example/feed.xml  All",
      ),
      ("https://plain.example/", "a web page, not a feed"),
      (
        "https://xml.example/",
        "a list of feeds (OPML), not a feed; to follow it: news subscribe --list https://xml.example/",
      ),
      (
        "https://gone.example/",
        "server answered 404: there is nothing at this URL (`--no-check` moves without asking)",
      ),
    ] {
      let result = news("move", "example.com", url)
      #expect(result.errors == "news: \(url): \(message)\n" && result.status == 1)
    }
    #expect(try news.store.read().subscriptions == before)
    #expect(news("move", "example.com", "https://gone.example/", "--no-check").status == 0)
    #expect(try urls(news) == ["https://gone.example/", Sample.other])
  }

  @Test("a URL that is subscribed to already is refused before anything is asked")
  func known() throws {
    let news = try CommandRun()
    try news.storeSample()
    let result = news("move", "example.com", "http://EXAMPLE.org/atom")
    #expect(
      result.errors == """
        news: http://EXAMPLE.org/atom: already subscribed to as Other Feed \
        (`--merge` makes one of the two)

        """
    )
    #expect(result.status == 1 && news.fetcher.requests.isEmpty)
    #expect(try urls(news) == [Sample.feed, Sample.other])
  }

  @Test("--merge makes one of two: stories and tags of both, none twice")
  func merge() throws {
    let news = try CommandRun()
    try news.storeSample()
    try news.change {
      $0[0].tags = ["a", "b"]
      $0[1].tags = ["b"]
    }
    #expect(
      news("move", "example.com", Sample.other, "--merge", "--no-check").errors
        == "merged Example into Other Feed: \(Sample.other) (4 stories moved)\n"
    )
    let subscriptions = try news.store.read().subscriptions
    #expect(subscriptions.map(\.url) == [Sample.other] && subscriptions[0].tags == ["b", "a"])
    #expect(try stories(news).map(\.feeds) == Array(repeating: [Sample.other], count: 5))
  }

  @Test("the user's own feed stays so when it is merged into a list's, with its way back")
  func mergeIntoList() throws {
    let news = try CommandRun()
    try news.storeSample()
    try news.change {
      var older = OlderPages()
      (older.next, older.end) = ("https://example.com/2", OlderPages.wholeWords)
      $0[0].state.older = older
      $0[1].list = "https://lists.example/planet.opml"
    }
    #expect(news("move", "example.com", Sample.other, "--merge", "--no-check").status == 0)
    let feed = try #require(try news.store.read().subscriptions.first)
    #expect(feed.list == nil)
    #expect(feed.state.older?.next == nil && feed.state.older?.end == OlderPages.wholeWords)
  }

  @Test("where it is already, nothing happens; http may become https")
  func same() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [("http://example.com/feed", "Example")])
    #expect(
      news("move", "Example", "http://example.com/feed").errors
        == "Example is there already: http://example.com/feed\n"
    )
    #expect(news("move", "Example", "https://example.com/feed", "--no-check").status == 0)
    #expect(try urls(news) == ["https://example.com/feed"])
  }

  @Test("a feed that has none of the stories is said to have none")
  func different() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.fetcher.serve(new, .init(body: Sample.rss("Something else", ["x"])))
    #expect(
      news("move", "example.com", new).errors == """
        moved Example to \(new) (4 stories kept)
        news: none of its stories is among those at \(new): is it the same feed?

        """
    )
  }

  @Test("both words are needed, and the first must name one feed")
  func usage() throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(news("move", "example.com").status == 64)
    #expect(news("move", "example.", new).errors.contains("matches 2 feeds; name one of them:"))
    #expect(news("move", "nothing", new).status == 1)
    #expect(news("move", "example.com", "mailto:x@example.com").status == 1)
    #expect(try urls(news) == [Sample.feed, Sample.other])
  }
}
