import Testing

@Suite("One story, many feeds; and what stays of stories that feeds no longer carry")
struct SharedStoryTests {
  private struct Story {
    var name: String
    var day: Int
    var guid: String?
  }

  private func serve(_ url: String, _ title: String, _ stories: [Story], _ news: CommandRun) {
    let items = stories.map { story in
      "<item><title>\(story.name)</title><link>https://x.example/\(story.name)?utm_source=rss</link>"
        + (story.guid.map { "<guid isPermaLink=\"false\">\($0)</guid>" } ?? "")
        + "<pubDate>\(story.day) Oct 2026 10:00:00 GMT</pubDate></item>"
    }
    let document = "<rss version=\"2.0\"><channel><title>\(title)</title>\(items.joined())"
    news.fetcher.serve(url, .init(body: document + "</channel></rss>"))
  }

  /// Returns a home with two feeds that share a story, which each knows by a guid of its own.
  private func sharing() throws -> CommandRun {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Alpha"), (Sample.other, "Beta")])
    let shared = { Story(name: "shared", day: 12, guid: $0) }
    serve(Sample.feed, "Alpha", [shared("a1"), Story(name: "alpha", day: 11)], news)
    serve(Sample.other, "Beta", [shared("b1"), Story(name: "beta", day: 10)], news)
    return news
  }

  private func titles(_ news: CommandRun, _ options: String...) -> [Substring] {
    news.run(["list"] + options).output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)[1]
    }
  }

  @Test("it is stored once, counted once, shown once, and found under each of its feeds")
  func once() throws {
    let news = try sharing()
    let headlines = news("refresh")
    #expect(headlines.output == "Alpha (2)\n1  shared\n2  alpha\nBeta (1)\n3  beta\n")
    #expect(titles(news) == ["shared", "alpha", "beta"])
    #expect(titles(news, "--feed", "alpha") == ["shared", "alpha"])
    #expect(titles(news, "--feed", "beta") == ["shared", "beta"])
    let feeds = "\"feeds\":[\"\(Sample.feed)\",\"\(Sample.other)\"]"
    #expect(news("list", "--json").output.contains(feeds))
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 2 feeds, "))
    #expect(titles(news) == ["shared", "alpha", "beta"])
  }

  @Test("so it is when the second feed comes later, and read stays read")
  func later() throws {
    let news = try sharing()
    news("refresh", "alpha")
    news("open", "1")
    #expect(news("refresh", "beta").output == "Beta (1)\n1  beta\n")
    #expect(titles(news, "--unread") == ["alpha", "beta"])
  }

  @Test("unsubscribing from one feed leaves it to the other, which may then change it")
  func leftToTheOther() throws {
    let news = try sharing()
    news("refresh")
    news("read", "1")
    news("unsubscribe", "alpha")
    #expect(titles(news) == ["shared", "beta"])
    #expect(titles(news, "--unread") == ["beta"])
    #expect(titles(news, "--feed", "beta") == ["shared", "beta"])
    let corrected = Story(name: "shared", day: 13, guid: "b1")
    serve(Sample.other, "Beta", [corrected, Story(name: "beta", day: 10)], news)
    #expect(news("fetch").output.hasPrefix("noData: 0 new"))
    #expect(titles(news, "--unread") == ["beta"] && titles(news).count == 2)
    #expect(news("list", "-n1").output.contains("2026-10-13T10:00:00Z"))
    let why = news("why", "1").output
    #expect(why.contains("Feeds    Beta has it since 2026-11-01 12:00: "))
    #expect(why.contains("date 2026-11-01 12:00, it was “12 Oct 2026 10:00:00 GMT”"))
  }

  @Test("unsubscribing from the last feed drops it, unless it is starred")
  func last() throws {
    let news = try sharing()
    news("refresh")
    news("star", "3")
    news("unsubscribe", "alpha")
    #expect(news("unsubscribe", "beta").errors.hasSuffix("1 story deleted, 1 starred kept\n"))
    #expect(titles(news) == ["beta"])
    let both = try sharing()
    both("refresh")
    both("unsubscribe", "--yes", "alpha", "beta")
    #expect(titles(both).isEmpty)
  }

  @Test("a starred story is found again when its feed is followed again, once and still read")
  func again() throws {
    let news = try sharing()
    news("refresh")
    news("star", "1")
    news("read", "1")
    news("unsubscribe", "--yes", "alpha", "beta")
    news("subscribe", "--no-check", "-q", Sample.other)
    news("fetch")
    #expect(titles(news) == ["shared", "beta"])
    #expect(titles(news, "--unread") == ["beta"] && titles(news, "--starred") == ["shared"])
  }

  @Test("--keep keeps the newest of what a feed no longer carries, unread ones first")
  func keep() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Alpha")])
    func serve(_ days: ClosedRange<Int>) {
      let stories = days.reversed().map { Story(name: "day\($0)", day: $0, guid: "\($0)") }
      self.serve(Sample.feed, "Alpha", stories, news)
    }
    serve(1...6)
    news("refresh")
    news("read", "1-3")
    serve(6...7)
    news("refresh", "--keep", "0")
    #expect(titles(news).count == 7)
    serve(7...7)
    news("refresh", "--keep", "4")
    #expect(titles(news) == ["day7", "day6", "day3", "day2", "day1"])
    serve(1...7)
    #expect(news("fetch", "--keep", "4").output.hasPrefix("noData: 0 new"))
    #expect(titles(news).count == 7)
    #expect(titles(news, "--unread") == ["day7", "day3", "day2", "day1"])
  }

  @Test("a story that vanishes and returns is the same, with its marks")
  func returns() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Alpha")])
    let (one, two) = (Story(name: "one", day: 1), Story(name: "two", day: 2))
    serve(Sample.feed, "Alpha", [two, one], news)
    news("refresh")
    news("open", "1-2")
    serve(Sample.feed, "Alpha", [two], news)
    news("refresh")
    #expect(titles(news) == ["two", "one"])
    serve(Sample.feed, "Alpha", [two, one], news)
    #expect(news("refresh").output.isEmpty)
    #expect(titles(news) == ["two", "one"] && titles(news, "--unread").isEmpty)
  }

  @Test("a feed that moves to https and renames every guid makes nothing unread again")
  func https() throws {
    let news = try CommandRun()
    let old = "http://example.com/feed.xml"
    try news.store([], subscriptions: [(old, "Alpha")])
    func document(_ scheme: String, _ guid: String) -> String {
      let items = (1...4).map { number in
        "<item><title>Nr. \(number)</title><link>\(scheme)://x.example/\(number)</link>"
          + "<guid>\(guid)\(number)</guid></item>"
      }
      return "<rss version=\"2.0\"><channel><title>A</title>\(items.joined())</channel></rss>"
    }
    news.fetcher.serve(old, .init(body: document("http", "http://x.example/?p=")))
    news("refresh")
    news("read", "--all")
    news.fetcher.serve(old, .init(body: document("https", "https://x.example/story-")))
    #expect(news("fetch").output.hasPrefix("noData: 0 new in 0 of 1 feeds, "))
    #expect(titles(news).count == 4 && titles(news, "--unread").isEmpty)
    news("list")
    #expect(news("why", "1").output.contains("and renamed it 2026-11-01 12:00: the link is the"))
  }
}
