import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("What a feed answers when it is subscribed to")
struct SubscribedAnswerTests {
  private static let whole = """
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
    <title>Example</title><link>https://example.com/</link><ttl>90</ttl>
    <item><title>a</title><link>/a</link><pubDate>Sat, 31 Oct 2026 10:00:00 GMT</pubDate>
    <description>Short.</description>
    <content:encoded>&lt;p&gt;\(String(repeating: "A whole text. ", count: 40))&lt;/p&gt;</content:encoded>
    </item><item><title>b</title><guid>b</guid></item></channel></rss>
    """
  private static let ownLink = """
    <feed xmlns="http://www.w3.org/2005/Atom"><title>Own</title>
    <link rel="self" href="https://example.com/atom"/><id>x</id><updated>2026-10-01T00:00:00Z</updated>
    <entry><title>a</title><id>a</id><link href="a.html"/></entry></feed>
    """
  private static let cut = Sample.rss("Cut", ["a", "b"])
    .replacing("</channel></rss>", with: "<item>")
  private static let long = Sample.rss("Long", ["a"]) + String(repeating: " ", count: 2 << 20)

  @Test(
    "is stored as a refresh stores it, by one request",
    arguments: [whole, ownLink, cut, Sample.rss("Empty", [])],
    [Sample.feed, "feed.xml"],
  )
  func asByRefresh(document: String, source: String) throws {
    let news = try CommandRun()
    try news.folder.write(document, to: "feed.xml")
    news.fetcher.serve(Sample.feed, .init(body: document, etag: "\"1\""))
    #expect(news("subscribe", source).status == 0)
    #expect(news.fetcher.requests.count == 1)
    let once = try contents(news)
    news.variables["NEWS_HOME"] = news.folder.path("other")
    #expect(news("subscribe", "--no-check", source).status == 0)
    #expect(news("refresh", "--force").status == 0)
    let twice = try contents(news)
    #expect(once.states == twice.states && once.states.count == 1)
    #expect(once.stories == twice.stories && once.texts == twice.texts)
    #expect(once.texts.contains { $0 != nil } == (document == Self.whole))
  }

  private func contents(
    _ news: CommandRun
  ) throws -> (states: [FeedState], stories: [StoredItem], texts: [StoryText?]) {
    let store = LibraryStore(home: news.variables["NEWS_HOME"] ?? "")
    let library = try store.read()
    let states = library.subscriptions.map { subscription in
      var state = subscription.state
      // A file that is new has no validators until its second is over.
      if !subscription.url.hasPrefix("http") { state.validators = nil }
      return state
    }
    let stories = try (0..<library.items.count).map { try library.items.item(at: $0) }
    return (states, stories, try stories.map { try store.textIndex().text(of: $0.id) })
  }

  @Test("of a new feed that is named to refresh, --max-size is the limit")
  func maximumSize() throws {
    let news = try CommandRun()
    try news.folder.write(Self.long, to: "feed.xml")
    let path = news.folder.path("feed.xml")
    let refused = news("refresh", path, "--max-size", "1")
    #expect(refused.status == 1 && refused.errors.contains("larger than 1 MiB"))
    #expect(try news.store.read().subscriptions.isEmpty)
    #expect(news("refresh", path, "--max-size", "3").status == 0)
  }

  @Test("of a feed that moves, its own size is the limit")
  func ownSize() throws {
    let news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a"])))
    news("subscribe", Sample.feed)
    news("feeds", "set", "example", "--max-size", "1")
    try news.folder.write(Self.long, to: "feed.xml")
    let path = news.folder.path("feed.xml")
    #expect(news("move", "example", path).errors.contains("larger than 1 MiB"))
    #expect(try news.store.read().subscriptions.map(\.url) == [Sample.feed])
    news("feeds", "set", "example", "--max-size", "3")
    #expect(news("move", "example", path).status == 0)
  }
}
