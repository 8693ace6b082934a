import Testing

@Suite("A known feed that delivers everything as new")
struct AllNewTests {
  /// Serves a feed of stories with these days of October 2026, under names that begin with a
  /// prefix.
  private func serve(_ prefix: String, _ days: [Int], _ news: CommandRun) {
    let items = days.map { day in
      "<item><title>\(prefix) \(day)</title><link>https://example.com/\(prefix)/\(day)</link>"
        + "<pubDate>\(day) Oct 2026 10:00:00 GMT</pubDate></item>"
    }
    let document = "<rss version=\"2.0\"><channel><title>Example</title>\(items.joined())"
    news.fetcher.serve(Sample.feed, .init(body: document + "</channel></rss>"))
  }

  private func known(_ days: [Int]) throws -> CommandRun {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Example")])
    serve("old", days, news)
    #expect(news("fetch").output.hasPrefix("newData: \(days.count) new in 1 of 1 feeds, "))
    return news
  }

  private func titles(_ news: CommandRun) -> [Substring] {
    news("list").output.split(separator: "\n").map { $0.split(separator: "\t")[1] }
  }

  @Test("all are stored and count, and fetch's one line and its talk say so")
  func fetch() throws {
    let news = try known([10, 12])
    serve("new", [9, 11, 13, 14], news)
    let result = news("fetch")
    let line = "newData: 4 new in 1 of 1 feeds, 1 feed delivered everything as new (4 stored), "
    #expect(result.output.hasPrefix(line) && result.output.split(separator: "\n").count == 1)
    #expect(
      result.errors == "https://example.com/feed.xml: delivered everything as new; 4 stories "
        + "stored\n"
    )
    #expect(titles(news) == ["new 14", "new 13", "old 12", "new 11", "old 10", "new 9"])
  }

  @Test("those that are older than what is kept do not count, and refresh shows no headline")
  func older() throws {
    let news = try known([10, 12])
    serve("new", [8, 9], news)
    let result = news("refresh", "--keep", "1")
    #expect(result.output.isEmpty && result.status == 0)
    #expect(result.errors.hasSuffix("2 stories stored, 0 of them new\n"))
    #expect(news("refresh", "-q").errors.isEmpty)
    let quiet = try known([10, 12])
    serve("new", [8, 9], quiet)
    #expect(quiet("fetch", "-q").errors.isEmpty)
  }

  @Test("--json has it in the feed's object, and only there")
  func json() throws {
    let news = try known([10, 12])
    #expect(!news("fetch", "--json").output.contains("allNew"))
    serve("new", [9, 13], news)
    let output = news("fetch", "--json").output
    #expect(output.contains("\"new\":2,\"stored\":2,"))
    #expect(output.contains("\"error\":null,\"allNew\":true}"))
  }

  @Test("a busy feed of which all stories really are newer needs no such words")
  func busy() throws {
    let news = try known([10, 12])
    serve("new", [20, 21], news)
    let result = news("fetch")
    #expect(result.output.hasPrefix("newData: 2 new in 1 of 1 feeds, "))
    #expect(!result.output.contains("everything") && result.errors.isEmpty)
  }
}
