import FeedFetching
import FeedModel
import FeedParsing
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import FeedUpdating
@testable import FollowingCommands
@testable import HTMLText
@testable import System

@Suite("lists, links, names and failures as people read them")
struct ReadingTests {
  @Test(
    "the dates of a list are relative, exact or as published, on request",
    arguments: [
      ("relative", "1 h ago"), ("iso", "2026-11-01T11:00:00+00:00"), ("published", "published 1"),
    ],
  )
  func dates(_ choice: String, _ expected: String) throws {
    let news = try CommandRun()
    try news.storeSample()
    #expect(news("list", "-n1", "--dates", choice).output.split(separator: "\t")[2] == expected)
    #expect(news("list", "-n1").output.split(separator: "\t")[2] == "2026-11-01T11:00:00Z")
    news.useTerminal(80, variables: ["TERM": "dumb"])
    #expect(news("list", "-n1", "--dates=\(choice)").output.hasSuffix("  \(expected)\n"))
    let wrong = news("list", "--dates", "is0")
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean iso?"))
  }

  @Test("where nothing can be bold, a point says that a story is unread")
  func unreadMark() throws {
    let news = try CommandRun()
    try news.storeSample()
    news.useTerminal(80, variables: ["NO_COLOR": "1"])
    let plain = news("list").output.split(separator: "\n")
    #expect(plain[0].hasPrefix("1• ") && plain[2].hasPrefix("3  "))
    news.variables["NO_COLOR"] = nil
    #expect(!news("list").output.contains("•"))
  }

  @Test("behind signs that terminals do not agree on, the columns stand where they should")
  func uncertainWidths() throws {
    let news = try CommandRun()
    try news.store(
      [Sample.story(1, "thumbs 👍🏽 up", hours: 1), Sample.story(2, "東京 and é ok", hours: 2)],
      subscriptions: [],
    )
    news.useTerminal(80, variables: ["TERM": "xterm"])
    var lines = news("list").output.split(separator: "\n")
    #expect(lines[0].hasSuffix("\u{1b}[0m\u{1b}[18G  \u{1b}[2m1 h ago\u{1b}[0m"))
    #expect(lines[1].hasSuffix("\u{1b}[0m   \u{1b}[2m2 h ago\u{1b}[0m"))
    news.terminal.rows = 2
    #expect(news("list").output.isEmpty)
    lines = try #require(news.paged.first).split(separator: "\n")
    #expect(lines[0].hasSuffix("\u{1b}[0m    \u{1b}[2m1 h ago\u{1b}[0m"))
    news.variables["TERM"] = "dumb"
    #expect(!news("list").output.contains("\u{1b}"))
  }

  @Test(
    "long feed names keep what tells them apart",
    arguments: [
      ("Reuters: Technology News", "Technology News"), ("Reuters: World News", "World News"),
      ("Kottke Weblog RSS Feed", "Kottke Weblog"), ("Short", "Short"),
      ("Ars Technica - All content", "Ars Technica"),
      ("https://www.example.com/feeds/all.xml", "example.com/fee…"),
      ("/home/me/feeds/my-local-feed.xml", "my-local-feed.x…"), ("日本経済新聞の電子版速報", "日本経済新聞の…"),
      ("Planet One and its many moons", "Planet O…y moons"),
      ("Planet One and its many rings", "Planet O…y rings"),
    ],
  )
  func names(_ name: String, _ expected: String) {
    let all: Set = [
      "Reuters: Technology News", "Reuters: World News", "Kottke Weblog RSS Feed", "Short",
      "Ars Technica - All content", "https://www.example.com/feeds/all.xml",
      "/home/me/feeds/my-local-feed.xml", "日本経済新聞の電子版速報",
      "Planet One and its many moons", "Planet One and its many rings",
    ]
    let short = ShortFeedNames(all, among: [], columns: 16)
    #expect(short.name(name) == expected && short.columns == 16)
    // A feed has the same short name in a list of fewer feeds.
    #expect(
      ShortFeedNames([name], among: all, columns: 16).name(name).hasPrefix(expected.prefix(6))
    )
  }

  @Test(
    "a link in a text is found without the punctuation around it",
    arguments: [
      ("https://a.example/x", "https://a.example/x"),
      ("(https://a.example/x).", "https://a.example/x"),
      ("<http://a.example/x>,", "http://a.example/x"),
      ("https://a.example/r_(2)", "https://a.example/r_(2)"),
      ("see:https://a.example/?q=1&r=2;", "https://a.example/?q=1&r=2"), ("https://", nil),
      ("http:///x", nil), ("javascript:https", nil),
      ("“https://a.example/ü”", "https://a.example/%C3%BC"),
      ("https://ж.example/я?б=1…", "https://xn--f1a.example/%D1%8F?%D0%B1=1"),
      ("见https://a.example/x请", "https://a.example/x"),
      ("hhttps://a.example", "https://a.example"),
    ] as [(String, String?)],
  )
  func textLinks(_ word: String, _ url: String?) {
    let link = TextLink(in: word[...])
    #expect(link?.url == url)
    if let link { #expect(link.before + link.text + link.after == word) }
  }

  @Test("a text that is all brackets or schemes takes no time", .timeLimit(.minutes(1)))
  func hostileText() {
    let brackets = "https://a.example/" + String(repeating: ")", count: 100_000)
    #expect(TextLink(in: brackets[...])?.url == "https://a.example/")
    #expect(TextLink(in: String(repeating: "http://", count: 20_000)[...]) == nil)
  }

  @Test("show --link prints one of a story's numbered links, or says how many there are")
  func showLink() throws {
    let news = try CommandRun()
    var story = Sample.story(1, "One", hours: 1)
    story.item.summary = "See https://a.example/2, https://example.com/1 and https://a.example/3."
    story.item.enclosures = [
      Enclosure(url: "https://a.example/2"), Enclosure(url: "https://a.example/4"),
      Enclosure(url: "javascript:x"),
    ]
    try news.store([story], subscriptions: [])
    let links = (1...4).map { news("show", "1", "--link", "\($0)").output }
    #expect(
      links == [
        "https://example.com/1\n", "https://a.example/2\n", "https://a.example/3\n",
        "https://a.example/4\n",
      ]
    )
    let none = news("show", "1", "--link=5")
    #expect(none.errors == "news: story 1 has 4 links, and no link 5\n" && none.status == 1)
    #expect(news("show", "1", "--link", "0").status == 64)
    #expect(news("show", "1", "--link", "1", "--json").status == 64)
  }

  @Test(
    "what to do about a failure depends on the failure",
    arguments: [
      (.status(503), nil), (.stalled(.seconds(15)), nil), (.status(407), nil),
      (.status(410), "stop following it: `news unsubscribe a.example:1/x`"),
      (
        .status(406),
        "other types may help: `news feeds set a.example:1/x --header 'Accept: text/html'`",
      ),
      (
        .status(403),
        "if a browser is answered, its name may help: "
          + "`news feeds set a.example:1/x --user-agent NAME`",
      ),
      (.brokenHTTP2, "HTTP/1.1 may help: `news feeds set a.example:1/x --http 1.1`"),
      (
        .status(404),
        "find its new address, and leave the old one: `news subscribe https://a.example:1/`, "
          + "`news unsubscribe a.example:1/x`",
      ),
      (
        .status(401),
        "in ~/.netrc: machine a.example login NAME password WORD; or from a password manager: "
          + "`news subscribe https://NAME@a.example/… --password-command COMMAND`",
      ),
      (
        .bodyTooLarge(maximumBytes: 1),
        "allow more: `news feeds set a.example:1/x --max-size 128`",
      ),
      (.tls(.expired), "only its owner can repair that; tell them"),
      (.library(.init(.curl, "x")), nil),
    ] as [(FetchError, String?)],
  )
  func remedies(_ error: FetchError, _ expected: String?) {
    var report = FeedReport(url: "https://me:secret@a.example:1/x", title: "A", outcome: .failed)
    report.remedy = FailureRemedy(error)
    report.nextTry = .distantFuture
    let advice = FailureAdvice.about(report)?.line
    #expect(advice == expected)
    #expect(advice?.contains("secret") != true)
  }

  @Test("a feed that a page announces is offered as a word that no shell obeys")
  func announced() {
    var report = FeedReport(url: "https://a.example/", title: "A", outcome: .failed)
    let feed = AnnouncedFeed(url: "https://a.example/f?a=1&b=$(x)")
    report.remedy = FailureRemedy(.webPage(announced: [feed]))
    let command = FailureAdvice.about(report)?.commands.first
    #expect(command == "news subscribe 'https://a.example/f?a=1&b=$(x)'")
  }

  @Test("refresh tells of each failure in a line with what to do, of many with one cause in one")
  func failureLines() throws {
    let news = try CommandRun()
    let dead = (1...5).map { "https://dead\($0).example/feed" }
    for url in dead {
      let host = try #require(WebURL.host(of: url))
      news.fetcher.serve(url, .init(error: .nameUnknown(host: host)))
    }
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
    news.fetcher.serve(Sample.other, .init(error: .status(404)))
    let feeds = [(Sample.feed, "Example"), (Sample.other, "Other")]
    try news.store([], subscriptions: feeds + dead.enumerated().map { ($1, "Dead \($0)") })
    let refresh = news("refresh")
    #expect(refresh.output == "Example (1)\n1  a\n")
    let lines = refresh.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("news: \(Sample.other): server answered 404"))
    #expect(lines[0].contains("`news subscribe https://example.org/`"))
    #expect(
      lines[1]
        == "news: 5 feeds: there is no address for the host …: Dead 0, Dead 1, Dead 2, Dead 3, Dead 4; "
        + "what to do: `news doctor`"
    )
    let fetch = news("fetch")
    #expect(fetch.errors.split(separator: "\n").count == 6)
    #expect(!fetch.errors.contains("news subscribe"))
    let doctor = news("doctor", "--offline").output.split(separator: "\n")
    let wrong = doctor.filter { $0.hasPrefix("wrong") }
    #expect(wrong.count == 2, "\(wrong)")
    #expect(
      wrong.contains(
        "wrong\t5 feeds\tthere is no address for the host …: Dead 0, Dead 1, Dead 2, Dead 3, Dead 4"
          + "\tsee each: news feeds --failing"
      )
    )
  }

  @Test("a feed that has worked is given up after three days and three answers, not before")
  func patienceWithFeeds() throws {
    let news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
    news("subscribe", Sample.feed)
    let answers = [
      FakeFetcher.Page(body: "<!DOCTYPE html><html><title>Just a moment</title></html>"),
      FakeFetcher.Page(error: .status(404)), FakeFetcher.Page(error: .status(400)),
      FakeFetcher.Page(body: "{\"error\": 1}"),
    ]
    for answer in answers {
      news.fetcher.serve(Sample.feed, answer)
      let errors = news("refresh", "--force").errors
      #expect(errors.contains("next try after") && !errors.contains("unsubscribe"), "\(errors)")
    }
    news.now += 2 * 86_400
    #expect(!news("refresh", "--force").errors.contains("unsubscribe"))
    news.now += 2 * 86_400
    #expect(news("refresh", "--force").errors.contains("news unsubscribe"))
  }

  @Test("nobody is sent to a host that does not exist")
  func deadHost() {
    var report = FeedReport(url: "https://dead.example/feed", title: "A", outcome: .failed)
    report.remedy = FailureRemedy(.nameUnknown(host: "dead.example"))
    #expect(
      FailureAdvice.about(report)?.line
        == "look for its new address; to leave it: `news unsubscribe https://dead.example/feed`"
    )
  }

  @Test("the progress line counts the seconds once it takes long, at most ten times a second")
  func patience() {
    let sink = Collector(failure: 0)
    let line = ProgressLine(output: TextOutput(capacity: 0) { sink.take($0) }, columns: 80)
    let progress = RefreshProgress(done: 1, total: 3, stories: 2, hosts: ["a.example"], seconds: 0)
    line.tick(seconds: 0)
    #expect(sink.text.isEmpty)
    line.show(progress)
    var next = progress
    (next.done, next.seconds) = (2, 0.05)
    line.show(next)
    #expect(sink.text == "\r1 of 3 feeds, 2 stories  a.example\u{1b}[K")
    for tenth in 1...45 { line.tick(seconds: Double(tenth) / 10) }
    let drawn = sink.text.split(separator: "\r").dropFirst()
    #expect(
      drawn == [
        "2 of 3 feeds, 2 stories  a.example\u{1b}[K",
        "2 of 3 feeds, 2 stories, 3 s  a.example\u{1b}[K",
        "2 of 3 feeds, 2 stories, 4 s  a.example\u{1b}[K",
      ]
    )
    line.clear()
    line.tick(seconds: 9)
    #expect(sink.text.hasSuffix("a.example\u{1b}[K\r\u{1b}[K"))
  }
}
