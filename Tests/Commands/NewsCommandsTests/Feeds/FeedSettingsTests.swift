import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("news feeds set")
struct FeedSettingsTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func feed(_ place: Int) throws -> Subscription {
    try news.store.read().subscriptions[place]
  }

  @Test("changes title and tags, says what, and can be undone")
  func change() throws {
    let words = ["feeds", "set", "example", "--title", "Mine", "--tag", "a", "--tag", "b"]
    #expect(
      news.run(words)
        == CommandResult(output: "", errors: "Example: now called Mine, tagged a, b\n", status: 0)
    )
    #expect(try feed(0).title == "Mine" && feed(0).tags == ["a", "b"])
    #expect(
      news.run(words.map { $0 == "example" ? "mine" : $0 }).errors
        == "nothing to change: already set\n"
    )
    #expect(
      news("feeds", "set", "mine", "--untag", "A", "--title", "").errors
        == "Mine: now called example.com/feed.xml, no longer tagged a\n".replacing(
          "example.com",
          with: "https://example.com",
        )
    )
    #expect(try feed(0).title == nil && feed(0).tags == ["b"])
    news("undo")
    #expect(try feed(0).title == "Mine" && feed(0).tags == ["a", "b"])
  }

  @Test("of several feeds changes the tags, not the title")
  func several() throws {
    news("feeds", "set", "example", "--tag", "old")
    news("feeds", "set", "other", "--tag", "old")
    news("feeds", "set", "tag:old", "--tag", "new", "--untag", "old")
    #expect(try feed(0).tags == ["new"] && feed(1).tags == ["new"])
    let result = news("feeds", "set", "tag:new", "--title", "Both")
    #expect(result.errors == "news: --title is for one feed, and these are 2\n")
    #expect(result.status == 1)
  }

  @Test("says how one feed is asked and kept, as `feeds --json` and `undo` know")
  func settings() throws {
    let words = ["--interval", "6h", "--keep", "0", "--max-size", "64", "--user-agent", "Moz\n/5"]
    #expect(
      news.run(["feeds", "set", "example"] + words).errors
        == "Example: asked every 6h, all its stories are kept, up to 64 MiB, asked as Moz /5\n"
    )
    let settings = try feed(0).settings
    #expect(settings.interval == .seconds(21_600) && settings.keep == 0)
    #expect(settings.maximumBytes == 64 << 20 && settings.userAgent == "Moz /5")
    #expect(
      news("feeds", "--json").output.contains(
        "{\"interval\":21600,\"keep\":0,\"maxSize\":67108864,\"userAgent\":\"Moz /5\",\"full\":false,"
          + "\"download\":null,\"downloadLimit\":null,\"pause\":null,\"hide\":false,\"http\":null,"
          + "\"keepTracking\":false,\"readAfter\":null,\"unreadWhenEdited\":false,\"oldestFirst\":false,"
          + "\"open\":null}"
      )
    )
    let none = ["--interval", "", "--keep=", "--max-size=", "--user-agent="]
    #expect(
      news.run(["feeds", "set", "example"] + none).errors
        == """
        Example: asked as it posts, as many of its stories are kept as of others, as large as \
        others, asked by our own name

        """
    )
    #expect(try feed(0).settings == FeedSettings())
    news("undo")
    #expect(try feed(0).settings == settings)
  }

  @Test("says how its stories are read: their age, edits, order, and what Enter opens")
  func reading() throws {
    let words = ["--read-after", "7d", "--unread-when-edited", "--oldest-first", "--open", "page"]
    #expect(
      news.run(["feeds", "set", "example"] + words).errors
        == """
        Example: its stories are read after 1w, its stories are unread again when it changes them, \
        listed with the oldest first, Enter shows the article of a story's page

        """
    )
    let settings = try feed(0).settings
    #expect(settings.readAfter == 604_800 && settings.unreadWhenEdited && settings.isOldestFirst)
    #expect(settings.opening == "page")
    let wrong = news("feeds", "set", "example", "--open", "x")
    #expect(wrong.status == 64 && wrong.errors.contains("--open: x is not browser or page or feed"))
    #expect(news("feeds", "set", "example", "--read-after", "30min").status == 64)
    let none = ["--read-after=", "--no-unread-when-edited", "--no-oldest-first", "--open", "feed"]
    #expect(news.run(["feeds", "set", "example"] + none).status == 0)
    #expect(try feed(0).settings == FeedSettings())
    news("undo")
    #expect(try feed(0).settings == settings)
  }

  @Test("lists the oldest stories of a feed first where it says so, and of others the newest")
  func oldestFirst() throws {
    func ids(_ words: String...) -> [String] {
      news.run(["list", "--format", "{id}"] + words).output.split(separator: "\n").map(String.init)
    }
    let (newest, all) = (ids("--feed", "example"), ids())
    news("feeds", "set", "example", "--oldest-first")
    #expect(ids("--feed", "example") == newest.reversed() && ids() == all)
    #expect(ids("--feed", "example", "-n", "1") == newest.suffix(1))
    #expect(ids("--feed", "example", "--reverse") == newest)
    #expect(ids("--feed", "example", "--grep", "sort:date") == newest)
    #expect(news("list", "--feed", "example", "--explain").output.contains("oldest first"))
  }

  @Test("undo --list says what was set, without what may be secret")
  func deeds() {
    news("feeds", "set", "example", "--oldest-first", "--header", "X-Key: secret", "--keep", "9")
    news("feeds", "set", "--all", "--tag", "work")
    news("feeds", "set", "example", "other", "--hide")
    let deeds = news("undo", "--list").output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)[2]
    }
    #expect(
      deeds == [
        "feeds set example other --hide", "feeds set --all --tag work",
        "feeds set Example --header --keep 9 --oldest-first",
      ]
    )
  }

  @Test("has a server asked with HTTP/1.1 alone, until that is taken back")
  func http() throws {
    #expect(
      news("feeds", "set", "example", "--http", "1.1").errors
        == "Example: asked with HTTP/1.1 alone\n"
    )
    #expect(try feed(0).settings.httpVersion == "1.1")
    #expect(news("feeds", "--json").output.contains("\"http\":\"1.1\""))
    let wrong = news("feeds", "set", "example", "--http", "2")
    #expect(wrong.status == 64 && wrong.errors.contains("--http: 2 is not 1.1"), "\(wrong)")
    news("undo")
    #expect(try feed(0).settings.httpVersion == nil)
    news("feeds", "set", "example", "--http", "1.1")
    #expect(
      news("feeds", "set", "example", "--http=").errors
        == "Example: asked with the newest HTTP that it has\n"
    )
    #expect(try feed(0).settings == FeedSettings())
  }

  @Test("has the pages of new stories fetched, or not any more, as `why` knows")
  func pages() throws {
    #expect(
      news("feeds", "set", "example", "--full").errors
        .hasPrefix("Example: the pages of its new stories are fetched\n")
    )
    #expect(try feed(0).settings.fetchesPages && !feed(1).settings.fetchesPages)
    try news.change { $0[0].state.pages = (0..<150).map { WantedPage(id: Sample.id($0)) } }
    #expect(
      news("why", "example").output.contains("those of new stories are fetched; 100 not yet")
    )
    #expect(!news("why", "other").output.contains("are fetched"))
    #expect(
      news("feeds", "set", "example", "--no-full").errors == "Example: no pages of it are fetched\n"
    )
    news("undo")
    #expect(try feed(0).settings.fetchesPages && feed(0).state.pages.count == 100)
    #expect(news("feeds", "set", "example", "--full", "--no-full").status == 64)
  }

  @Test(
    "an interval is a time between a quarter of an hour and a week",
    arguments: [
      ("15min", 900), ("1 hour", 3600), ("36h", 129_600), ("2D", 172_800), ("1w", 604_800),
      ("14min", nil), ("8d", nil), ("6", nil), ("", 0), ("h", nil), ("-6h", nil), ("1 month", nil),
      ("99999999999999999999h", nil),
    ] as [(String, Int?)],
  )
  func interval(_ text: String, _ seconds: Int?) throws {
    let result = news("feeds", "set", "example", "--interval=\(text)")
    #expect(result.status == (seconds == nil ? 64 : 0))
    let interval = try feed(0).settings.interval
    #expect(interval == (seconds ?? 0 == 0 ? nil : .seconds(seconds ?? 0)))
  }

  @Test("an interval moves the next visit, to no sooner than server and feed allow")
  func nextVisit() throws {
    let asked = Date(timeIntervalSince1970: 1_793_001_000)
    try news.change { library in
      library[0].state.lastAsked = asked
      library[0].state.nextDue = asked.addingTimeInterval(86_400)
      library[0].state.earliestDue = asked.addingTimeInterval(7200)
    }
    func wait() throws -> Double? { try feed(0).state.nextDue?.timeIntervalSince(asked) }
    news("feeds", "set", "example", "--interval", "30min")
    #expect(try wait() == 7200)
    news("feeds", "set", "example", "--interval", "12h")
    #expect((43_200...47_000).contains(try #require(try wait())))
    try news.change { $0[0].state.failures = 3 }
    news("feeds", "set", "example", "--interval", "1h")
    #expect((43_200...47_000).contains(try #require(try wait())))
  }

  @Test(
    "wrong words change nothing",
    arguments: [
      (["feeds", "set"], 64), (["feeds", "set", "example"], 64), (["feeds", "--title", "x"], 64),
      (["feeds", "set", "example", "nobody", "--tag", "x"], 1),
      (["feeds", "set", "example", "--keep", "x"], 64),
      (["feeds", "set", "example", "--max-size", "0"], 64),
      (["feeds", "set", "nobody", "--tag", "x"], 1),
    ] as [([String], Int32)],
  )
  func wrong(_ words: [String], _ status: Int32) throws {
    let before = try news.store.read().subscriptions
    #expect(news.run(words).status == status)
    #expect(try news.store.read().subscriptions == before)
  }
}
