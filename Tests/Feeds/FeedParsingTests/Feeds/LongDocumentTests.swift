import FeedModel
import Testing

@testable import FeedParsing

@Suite("Long documents")
struct LongDocumentTests {
  private static let head = """
    <rss version="2.0"><channel><title>Long</title><link>https://example.org/feed/</link>

    """
  private static let tail = "</channel></rss>"

  private static func item(_ number: Int) -> String {
    let words = (0..<60).map { "word\((number * 31 + $0) % 97) &amp;amp; &lt;b&gt;" }
    return """
      <item><title>Story \(number) &amp; more</title><link>story/\(number)</link>
      <guid isPermaLink="false">\(number)</guid><author>a\(number % 7)@example.org</author>
      <pubDate>Tue, 10 Jun 2003 04:\(10 + number % 50):00 GMT</pubDate>
      <description>\(words.joined(separator: " "))</description></item>

      """
  }

  @Test("a long document gives the same stories as its parts")
  func parts() throws {
    let items = (0..<3_000).map(Self.item)
    let whole = try FeedParser.feed(Self.head + items.joined() + Self.tail, url: nil)
    #expect(whole.items.count == items.count)
    #expect(whole.isComplete)
    for start in stride(from: 0, to: items.count, by: 100) {
      let part = items[start..<start + 100].joined()
      let feed = try FeedParser.feed(Self.head + part + Self.tail, url: nil)
      #expect(Array(whole.items[start..<start + 100]) == feed.items)
    }
    #expect(whole.items[17].link == "https://example.org/feed/story/17")
  }

  @Test("short links that a long base makes long are refused", arguments: [false, true])
  func longBase(isJSON: Bool) {
    let base = "http://example.org/" + String(repeating: "a/", count: 1_000)
    let stories =
      isJSON
      ? "{\"version\":\"https://jsonfeed.org/version/1.1\",\"home_page_url\":\"\(base)\",\"items\":["
        + (0..<300).map { "{\"id\":\"\($0)\",\"url\":\"\($0)\"}" }.joined(separator: ",") + "]}"
      : "<rss><channel xml:base='\(base)'>"
        + (0..<300).map { "<item><link>\($0)</link></item>" }.joined() + "</channel></rss>"
    let limits = ParsingLimits(maximumBytes: 100_000)
    let error = FeedParsingError.limitExceeded(name: "bytes of resolved links", limit: 100_000)
    #expect(throws: error) { try FeedParser.feed(stories, url: nil, limits: limits) }
    #expect(throws: Never.self) { try FeedParser.feed(stories, url: nil) }
  }

  @Test("a document that breaks off keeps its finished stories")
  func cut() throws {
    let items = (0..<2_500).map(Self.item)
    let feed = try FeedParser.feed(Self.head + items.joined() + "<item><title>cut", url: nil)
    #expect(feed.items.count >= items.count)
    #expect(feed.items[2_499].guid == "2499")
    #expect(!feed.isComplete)
  }
}
