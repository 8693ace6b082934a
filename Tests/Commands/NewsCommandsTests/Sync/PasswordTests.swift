import FeedFetching
import FeedModel
import FeedStorage
import Testing

@testable import CommandLine

@Suite("no password is printed, whatever is typed where")
struct PasswordTests {
  /// URLs with a password: as they should be typed, without a scheme, with a password that should
  /// have been escaped, and with one longer than messages quote.
  private static let urls = [
    "https://user:secret@host.example/feed", "user:secret@host.example/feed",
    "https://user:secret/secret#secret@host.example/feed",
    "https://user:\(String(repeating: "secret", count: 20))@host.example/feed",
  ]

  private static let lines: [[String]] = [
    [], ["subscribe"], ["subscribe", "--no-check"], ["unsubscribe"], ["move"],
    ["move", "example"], ["feeds"], ["refresh"], ["refresh", "-v"], ["fetch"],
    ["fetch", "--deadline"], ["list"], ["list", "--feed"], ["list", "-n"], ["list", "--since"],
    ["list", "--grep", "/("], ["list", "--dates"], ["list", "--format", "{"], ["open"], ["show"],
    ["why"], ["read"], ["star", "--all", "--feed"], ["clear"], ["clear", "--feed"], ["undo"],
    ["import"], ["export"], ["parse"], ["parse", "--date"], ["log"], ["doctor"], ["man"],
    ["completions"], ["help"], ["--color"], ["list", "--"],
  ]

  @Test("in no line of any command that does not know what to make of it", arguments: lines)
  func unknown(_ words: [String]) throws {
    for url in Self.urls {
      let news = try CommandRun()
      try news.storeSample()
      let joined = words.last.map { "{/(".contains($0) ? [$0 + url] : [$0, url] } ?? [url]
      let result = news.run(words.dropLast() + joined)
      #expect(!(result.output + result.errors).contains("secret"))
      #expect(!(result.output + result.errors).contains("user:"))
    }
  }

  @Test("a URL alone is answered with the command for it, to which the URL is to be added")
  func proposal() throws {
    let result = try CommandRun()("https://user:secret@host.example/feed")
    #expect(
      result.errors == "news: unknown command https://***@host.example/feed; "
        + "did you mean `news subscribe URL`? (see `news --help`)\n"
    )
    #expect(result.status == 64)
  }

  @Test("not of a feed without a title, in lists, choices, proposals and reports")
  func untitled() throws {
    let news = try CommandRun()
    let urls = ["one", "two"].map { "https://user:secret@host.example/\($0)" }
    let stories = urls.enumerated().map { Sample.story($0, "Story", hours: 1, feeds: [$1]) }
    try news.store(stories, subscriptions: [])
    try news.store.update(waitAtMost: .seconds(5)) { _ in
      (LibraryChange(subscriptions: urls.map { Subscription(url: $0) }), ())
    }
    for url in urls { news.fetcher.serve(url, .init(error: .status(404))) }
    for words in [
      ["feeds"], ["feeds", "--json"], ["list"], ["list", "--json"], ["list", "--feed", "host"],
      ["list", "--feed", "https://***@host.example/onr"], ["refresh"], ["refresh", "--json"],
      ["refresh", "-v"], ["fetch"], ["fetch", "--json"], ["why", "1"], ["show", "1"], ["doctor"],
      ["unsubscribe", "host"], ["log"], ["open", "1"], ["unsubscribe", "host.example/one"],
    ] {
      for columns in [nil, 80] {
        if let columns { news.useTerminal(columns) } else { news.terminal = TerminalFacts() }
        let result = news.run(words)
        #expect(!(result.output + result.errors).contains("secret"), "\(words)")
      }
    }
  }

  @Test("an exported feed without a title has none when it is imported again")
  func roundTrip() throws {
    let news = try CommandRun()
    news.input = [
      "<opml version=\"2.0\"><body><outline text=\"https://***@host.example/\""
        + " xmlUrl=\"https://user:secret@host.example/\"/></body></opml>"
    ]
    #expect(news("import", "-").status == 0)
    let feed = try #require(try news.store.read().subscriptions.first)
    #expect(feed.title == nil && feed.url == "https://user:secret@host.example/")
    #expect(news("export").output.contains("text=\"https://host.example/\""))
  }
}
