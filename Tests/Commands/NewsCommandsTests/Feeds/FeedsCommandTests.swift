import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import FollowingCommands
@testable import ReadingCommands

@Suite("news feeds shows how each feed is")
struct FeedsCommandTests {
  /// Returns a home with a lively feed, one that fails, one silent for a year, and one that is new.
  private func sample() throws -> CommandRun {
    let news = try CommandRun()
    var stories = (1...24).map { Sample.story($0, "Story \($0)", hours: $0 * 6) }
    stories += (1...4).map {
      Sample.story(100 + $0, "Old \($0)", hours: 24 * (365 + $0), feeds: ["https://old.example/"])
    }
    stories[0].isRead = true
    try news.store(
      stories,
      subscriptions: [
        (Sample.feed, "Example"), (Sample.other, "Other Feed"),
        ("https://old.example/", "An old feed with a title that is longer than there is room for"),
        ("https://new.example/", "新しい"),
      ],
    )
    try news.change { subscriptions in
      subscriptions[0].tags = ["Tech/Swift"]
      subscriptions[0].state.lastOutcome = .newData
      subscriptions[0].state.lastAsked = .init(timeIntervalSince1970: news.now - 120)
      subscriptions[0].state.nextDue = .init(timeIntervalSince1970: news.now + 7200)
      subscriptions[1].state.lastOutcome = .failed
      subscriptions[1].state.lastError = "server answered 503"
      subscriptions[1].state.failures = 3
      subscriptions[2].state.lastOutcome = .noData
      subscriptions[2].tags = ["Technology"]
    }
    return news
  }

  @Test("in eighty columns: stories, how often it posts, outcome, error, next visit")
  func eighty() throws {
    let news = try sample()
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    let result = news("feeds")
    #expect(
      result.output == """
        feed                                  unread  stories  posts     last     next
        Example                                   23       24  4 a day   new      in 2 h
        Other Feed                                 0        0            failed   now
          server answered 503 (3 times): https://example.org/atom
        An old feed with a title that is lo…       4        4  4 a year  no news  now
        新しい                                     0        0            never    now

        """
    )
    #expect(result.errors == "4 feeds, 1 failing, 1 silent for 90 days\n")
    #expect(
      result.output.split(separator: "\n").allSatisfy { TerminalText.width(String($0)) <= 80 }
    )
  }

  @Test("a column tells what the feeds are sorted by, in a narrow window, too")
  func sorted() throws {
    let news = try sample()
    news.useTerminal(44, variables: ["NO_COLOR": "1"])
    func rows(_ order: String) -> [String] {
      news("feeds", "--sort", order).output.split(separator: "\n").map(String.init)
    }
    #expect(rows("read")[0].contains("unread  read  last"))
    #expect(rows("read")[1].contains("  23   4 %  new"), "\(rows("read"))")
    #expect(rows("activity")[0].contains("posts"))
    #expect(!rows("title")[0].contains("posts"))
  }

  @Test("a wide terminal shows more, a narrow one less, none a line too long")
  func widths() throws {
    let news = try sample()
    for columns in [30, 40, 59, 60, 79, 99, 100, 119, 120, 200] {
      news.useTerminal(columns, variables: ["NO_COLOR": "1"])
      let lines = news("feeds").output.split(separator: "\n")
      #expect(lines.allSatisfy { TerminalText.width(String($0)) <= columns })
      #expect(lines[0].contains("newest") == (columns >= 100))
      #expect(lines[0].contains("posts") == (columns >= 70))
      #expect(lines[0].hasSuffix("tags") == (columns >= 120))
    }
  }

  @Test("names that are too long are shortened so that they can still be told apart")
  func names() throws {
    let news = try CommandRun()
    let urls = ["atom", "rss"].map { "https://a.example/a/long/way/to/the/feed/of/this/site.\($0)" }
    try news.store([], subscriptions: urls.map { ($0, $0) } + [(Sample.feed, "Short")])
    news.useTerminal(60, variables: ["NO_COLOR": "1"])
    let lines = news("feeds").output.split(separator: "\n")
    let names = lines.dropFirst().map { $0.prefix { $0 != " " } }
    #expect(names.count == 3 && Set(names).count == 3)
    #expect(names[0].hasPrefix("a.example/") && names[0].hasSuffix(".atom"))
    #expect(lines.allSatisfy { $0.count <= 60 })
  }

  @Test("only those that fail, only those that are silent, only those that are named")
  func filters() throws {
    let news = try sample()
    func shown(_ words: String...) -> [String] {
      news.run(["feeds"] + words).output.split(separator: "\n")
        .map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(shown("--failing") == [Sample.other])
    #expect(shown("--silent") == ["https://old.example/"])
    #expect(shown("--silent", "--days", "365") == ["https://old.example/"])
    #expect(shown("--silent", "--days", "367") == [])
    #expect(shown("--silent", "--days", "1") == ["https://old.example/"])
    #expect(shown("--silent", "--failing") == [])
    #expect(shown("example.") == [Sample.feed, Sample.other])
    #expect(shown("tag:tech") == [Sample.feed])
    #expect(shown("tag:Tech/Swift", "old") == [Sample.feed, "https://old.example/"])
  }

  @Test("a feed that came whole without stories is silent, one that never came is not")
  func withoutStories() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Empty"), (Sample.other, "New")])
    try news.change {
      $0[0].state.lastUnconditional = Date(timeIntervalSince1970: 1_793_000_000)
    }
    #expect(news("feeds", "--silent").output.hasPrefix("\(Sample.feed)\tEmpty\t"))
    #expect(news("feeds", "--silent").output.split(separator: "\n").count == 1)
  }

  @Test("a date in the future says nothing; without dates a story counts as of when it was stored")
  func dates() throws {
    let news = try CommandRun()
    var story = Sample.story(1, "From the future", hours: -1000)
    story.stored = Date(timeIntervalSince1970: news.now - 100 * 86_400)
    try news.store([story], subscriptions: [(Sample.feed, "Example")])
    #expect(news("feeds", "--json").output.contains("\"newest\":\"2026-07-24T12:00:00Z\""))
    #expect(news("feeds", "--json").output.contains("\"interval\":null"))
    #expect(!news("feeds", "--silent").output.isEmpty)
    #expect(news("feeds", "--silent", "--days", "101").output.isEmpty)
  }

  @Test("lines and JSON have every field")
  func programs() throws {
    let news = try sample()
    let lines = news("feeds").output.split(separator: "\n")
    #expect(
      lines.prefix(2) == [
        """
        https://example.com/feed.xml\tExample\tnewData\t24\t23\t2026-11-01T11:58:00Z\t\
        2026-11-01T14:00:00Z\t\t2026-11-01T06:00:00Z\t21600\tTech/Swift\t
        """,
        "https://example.org/atom\tOther Feed\tfailed\t0\t0\t\t\tserver answered 503\t\t\t\t",
      ]
    )
    #expect(
      news("feeds", "--json", "old").output == """
        [
        {"url":"https://old.example/","title":"An old feed with a title that is longer than there is \
        room for","link":null,"icon":null,"tags":["Technology"],"passwordCommand":false,"headers":[],\
        "headerCommand":false,"proxy":null,"ca":null,"certificate":null,"command":null,"filter":null,"settings":null,\
        "stories":4,"unread":4,"newest":"2025-10-31T12:00:00Z","interval":7970400,"outcome":"noData","status":null,\
        "error":null,"cutOff":false,"failures":0,"gone":false,"lastAsked":null,\
        "lastSucceeded":null,"nextDue":null,"retryAfter":null,"retryAfterServer":null,\
        "server":null,"oldest":null,"olderEnd":null,"list":null,"newLocation":null,"refused":[]}
        ]

        """
    )
  }

  @Test("what sets feeds apart is said of them, in lists, by why and in the table view")
  func marks() throws {
    let news = try sample()
    news("feeds", "set", "Example", "--hide")
    news("feeds", "set", "old", "--pause")
    let piped = news("feeds").output.split(separator: "\n").map { $0.split(separator: "\t").last }
    #expect(piped[0] == "hidden" && piped[2] == "paused")
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    let lines = news("feeds").output.split(separator: "\n")
    #expect(lines[0].hasSuffix("  next    marks"))
    #expect(lines[1].hasSuffix("  in 2 h  hidden"))
    #expect(lines[4].contains("  paused") && !lines[4].contains("paused  paused"))
    let why = news("why", "Example").output
    #expect(why.contains("Hidden") && why.contains("only where you ask for it or its tag"))
    var browser = Browser(try news.store.read(.names))
    browser.resize(columns: 120, rows: 24)
    let names = FeedName(browser.stories.library)
    let view = BrowserView(context: try news.context, names: names, browser: browser)
    let rows = try view.rows().map { TerminalText.unstyled($0[0]) }
    #expect(rows.contains { $0.contains("Exam") && $0.contains(" hidden") })
    #expect(rows.contains { $0.contains("An old") && $0.contains(" paused") })
  }

  @Test(
    "a document that was cut off is told of as long as no whole one has come, also by older files"
  )
  func cutOff() throws {
    let news = try CommandRun()
    let whole = Sample.rss("Example", ["a", "b"])
    news.fetcher.serve(Sample.feed, .init(body: String(whole.dropLast(30))))
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Other", ["c"])))
    news("subscribe", "--no-check", Sample.feed, Sample.other)
    news("refresh")
    news("refresh", "Other")
    #expect(news("feeds", "--json").output.contains("\"cutOff\":true"))
    news.useTerminal(100, variables: ["NO_COLOR": "1"])
    let said =
      "  the document is cut off; its whole stories are kept: https://example.com/feed.xml\n"
    #expect(news("feeds").output.contains(said))
    #expect(news("why", Sample.feed).output.contains("Document  the document is cut off"))
    news.fetcher.serve(Sample.feed, .init(body: whole))
    news("refresh")
    #expect(!news("feeds").output.contains("cut off"))
  }

  @Test("where there is nothing to show, it says what there is not")
  func nothing() throws {
    let news = try CommandRun()
    news.useTerminal(80)
    #expect(news("feeds").errors == "no subscriptions yet: `news subscribe URL`\n")
    try news.store([], subscriptions: [(Sample.feed, "Example")])
    #expect(news("feeds", "--failing").errors == "no feed is failing\n")
    #expect(news("feeds", "--silent").errors == "no feed has been silent for 90 days\n")
    #expect(news("feeds", "--silent", "--failing").errors == "no feed is failing and silent\n")
    #expect(
      news("feeds", "tag:Wrok").errors == "news: no feed has the tag Wrok\n"
    )
    #expect(news("feeds", "--days", "3").status == 64)
    #expect(news("feeds", "--silent", "--days", "0").status == 64)
  }

  @Test(
    "how often is told in the largest unit that fits",
    arguments: [
      (1, "> 999/day"), (3600, "24 a day"), (86_400, "1 a day"), (172_800, "4 a week"),
      (604_800, "1 a week"), (1_209_600, "2 a month"), (2_629_746, "1 a month"),
      (7_889_238, "4 a year"), (31_556_952, "1 a year"), (200_000_000, "rarely"),
    ],
  )
  func rates(_ interval: Int, _ text: String) {
    #expect(PostingRate.text(interval: interval) == text)
    #expect(text.count <= 9)
  }
}

extension CommandRun {
  func change(_ body: (inout [Subscription]) -> Void) throws {
    try store.update(waitAtMost: .seconds(5)) { (library) in
      var subscriptions = library.subscriptions
      body(&subscriptions)
      return (LibraryChange(subscriptions: subscriptions), ())
    }
  }
}
