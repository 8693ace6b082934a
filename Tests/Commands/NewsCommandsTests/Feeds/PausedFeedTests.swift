import FeedFetching
import FeedModel
import FeedStorage
import Testing

@Suite("feeds that rest, and those whose stories come read")
struct PausedFeedTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
    for url in [Sample.feed, Sample.other] {
      news.fetcher.serve(url, .init(body: Sample.rss("Feed", ["first"])))
    }
  }

  private func feed(_ number: Int) throws -> Subscription {
    try news.store.read().subscriptions[number]
  }

  private func asked() -> [String] {
    let before = news.fetcher.requests.count
    news("refresh")
    return news.fetcher.requests.dropFirst(before).map(\.url).sorted()
  }

  @Test("a paused feed is asked only by name, until it is resumed or undone")
  func pause() throws {
    #expect(news("feeds", "set", "example", "--pause").errors == "Example: paused\n")
    #expect(asked() == [Sample.other])
    #expect(news("why", "example").output.contains("you have paused it; `news feeds set"))
    #expect(news("feeds", "--json").output.contains(#""pause":0"#))
    let before = news.fetcher.requests.count
    news("refresh", "example")
    #expect(news.fetcher.requests.dropFirst(before).map(\.url) == [Sample.feed])
    #expect(news("feeds", "set", "example", "--resume").errors == "Example: fetched again\n")
    #expect(asked().count == 2)
    news("feeds", "set", "example", "--pause")
    news("undo")
    #expect(asked().count == 2)
  }

  @Test("a pause ends by itself")
  func end() throws {
    #expect(
      news("feeds", "set", "example", "--pause=3d").errors
        == "Example: paused until 2026-11-04 12:00\n"
    )
    #expect(asked() == [Sample.other])
    news.now += 3 * 86_400 + 1
    #expect(asked().count == 2)
    #expect(news("feeds", "set", "example", "--pause=yesterday").status == 64)
    for words in [["example", "--pause", "3d"], ["--pause", "2026-12-24", "example"]] {
      #expect(news("feeds", "set", "example", "--resume").status == 0)
      #expect(news.run(["feeds", "set"] + words).errors.hasPrefix("Example: paused until 2026-1"))
    }
    #expect(news("feeds", "set", "--pause", "example").errors == "Example: paused\n")
    #expect(news("feeds", "set", "example", "--pause", "--resume").status == 64)
  }

  @Test("one with a rule that has its stories come read has the new ones alone marked")
  func arrivesRead() throws {
    news("rules", "add", "quiet", "--feed", "example", "--then", "read")
    let quiet = ["quiet", "both", "Newest of all"]
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Feed", quiet)))
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Feed", ["loud", "both"])))
    news("refresh")
    let library = try news.store.read()
    let stories = try (0..<library.items.count).map { try library.items.item(at: $0) }
    let read = Dictionary(stories.map { ($0.item.title, $0.isRead) }) { first, _ in first }
    #expect(read["quiet"] == true)
    #expect(read["loud"] == false)
    #expect(read["both"] == false)
    #expect(read["Oldest"] == false)
  }

  @Test("set takes several feeds, and all")
  func several() throws {
    news("feeds", "set", "example", "other", "--tag", "both")
    #expect(try feed(0).tags == ["both"] && feed(1).tags == ["both"])
    news("feeds", "set", "--all", "--allow-private")
    #expect(try feed(0).state.isOnInternet == false && feed(1).state.isOnInternet == false)
    #expect(news("feeds", "set", "--all", "example", "--tag", "x").status == 64)
    #expect(news("feeds", "set", "--tag", "x").status == 64)
    #expect(news("feeds", "--all").status == 64)
    news("undo")
    #expect(try feed(0).state.isOnInternet == nil)
  }

  @Test("a known feed that is allowed in a private network now is told so")
  func allowed() throws {
    #expect(
      news("subscribe", "--allow-private", Sample.feed).errors
        == "already subscribed to Example, allowed in a private network\n"
    )
    #expect(
      news("subscribe", "--allow-private", Sample.feed).errors == "already subscribed to Example\n"
    )
  }

  @Test(
    "feeds are sorted",
    arguments: [("unread", ["Example", "Other Feed"]), ("title", ["Example", "Other Feed"])],
  )
  func sorted(_ order: String, _ names: [String]) throws {
    news("feeds", "set", "example", "--title", "Zebra")
    let lines = news("feeds", "--sort", order).output.split(separator: "\n")
    let titles = lines.map {
      String($0.split(separator: "\t", omittingEmptySubsequences: false)[1])
    }
    let expected = names.map { $0 == "Example" ? "Zebra" : $0 }
    #expect(titles == (order == "title" ? expected.sorted() : expected))
    #expect(news("feeds", "--sort", "titel").errors.contains("title"))
  }
}
