import FeedModel
import HTMLText
import System
import Testing

@testable import FeedParsing

/// A document of which only the lines of its stories are kept says what it says with its stories.
@Suite("Lines of stories")
struct StoryLineTests {
  @Test("a document's lines say what its stories say", arguments: FeedFixture.all)
  func fixtures(_ fixture: FeedFixture) throws {
    try expectSame(fixture.bytes)
  }

  private static let namespaces = """
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" \
    xmlns:content="http://purl.org/rss/1.0/modules/content/"
    """
  /// What some titles have, and what their lines have of them.
  private static let titles: [(title: String, line: String)] = [
    ("", "text"), (" \n", "text"), ("&amp;nbsp;", "text"), ("&#x200B;", "text"),
    ("&lt;img src=a&gt;", "text"), ("&#xAD;&#x2060;", "text"), ("One", "One"),
    ("&lt;b&gt;", "<b>"), ("&lt;i&gt;One&lt;/i&gt;", "One"), ("&#x200B; One", "One"),
    ("R&amp;D &lt;sup&gt;2&lt;/sup&gt;", "R&D ²"), ("時間", "時間"), ("- &amp; -", "- & -"),
    ("a&lt;script&gt;b&lt;/script&gt;", "a"), ("&lt;!-- a --&gt;", "text"), ("é", "é"),
  ]

  @Test("only a story whose title has no words has the beginning of its text", arguments: titles)
  func beginnings(_ title: String, _ line: String) throws {
    for parts in [["T", "D"], ["D", "T"]] {
      let story = parts.map { part in
        part == "T" ? "<title>\(title)</title>" : "<description>text</description>"
      }
      let feed = try expectSame(Self.rss("<item>\(story.joined())</item>"))
      #expect(Self.lines(feed.lines) == ["\t\t\(line)"])
    }
  }

  @Test(
    "the texts of a story do not change what its line says",
    arguments: [
      // Before the title, behind it, and of two stories in turn.
      "<description>d</description><title>a</title></item><item><description>e</description>",
      "<title>a</title><description>d</description></item><item><description>e</description>",
      "<title/><description>d</description><title>second</title>",
      "<title>a</title><title/><description>d</description><dc:description>e</dc:description>",
      "<media:title>m</media:title><description>d</description>",
      "<dc:title>m</dc:title><media:content><media:description>d</media:description>",
      // Texts of which the title knows nothing: dates, links, files.
      "<title>a</title><content:encoded>c</content:encoded><pubDate>2026-01-02</pubDate>",
      "<title>a</title><description>d<link>/b</link><guid>http://x.example/c</guid>",
      "<title>a</title><link>javascript:b</link><description>d</description><guid>/g</guid>",
      "<title>a</title><description>d<enclosure url='/f.mp3'/>",
      // Markup that is not escaped.
      "<title>a</title><description>x<sup>2</sup><p>b</p><math><mi>y</mi></math></description>",
      "<title>a</title><description><input type='checkbox'/><title>b</title></description>",
      "<description>x<sup>2</sup><p>b</p><math><mi>y</mi></math></description>",
      "<title>a</title><description><![CDATA[d]]>e&#150;&#x91;f</description>",
      "<title>a</title><description>(long)</description><description>second</description>",
      "<description>(long)</description><title>a</title>", "<description>(long)</description>",
      // Documents that are repaired, or break off.
      "<title>a</title><description>d & e <br> f</description>",
      "<title>a<description>d</description><pubDate>2026-01-02</pubDate>",
      "<title>a</title><description>d<item><title>b</title><description>&nosuch;",
      "<title>a</title><description>d</item></channel></rss><!--",
    ],
  )
  func linesWithoutTexts(_ parts: String) throws {
    let long = String(repeating: "ten bytes. ", count: 200_000)
    let pieces = parts.split(separator: "(long)", omittingEmptySubsequences: false)
    try expectSame(Self.rss("<item>\(pieces.joined(separator: long))</item>"))
  }

  @Test("a text of JSON is left out where the title has words")
  func json() throws {
    let stories = ["\"title\":\"a\",", "", "\"title\":\"&nbsp;\","].map {
      "{\($0)\"id\":\"1\",\"content_html\":\"<p>d</p>\",\"url\":\"https://x.example/1\"}"
    }
    let head = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":["
    let feed = try expectSame(Array((head + stories.joined(separator: ",") + "]}").utf8))
    #expect(
      Self.lines(feed.lines)
        == ["a", "d", "d"].map { "\thttps://x.example/1\t\($0)" }
    )
  }

  private static func rss(_ items: String) -> [UInt8] {
    Array("<rss \(namespaces)><channel><title>T</title>\(items)</channel></rss>".utf8)
  }

  @discardableResult
  private func expectSame(_ document: [UInt8]) throws -> Feed {
    let url = "https://x.example/feed"
    var limits = ParsingLimits(maximumBytes: 32 << 20)
    let whole = Result { try FeedParser.feed(of: document, url: url, limits: limits) }
    limits.kept = .lines
    var feed = try FeedParser.feed(of: document, url: url, limits: limits)
    let items = try whole.get().items
    let expected = items.map { item in
      let date = item.date.map(RFC3339.string) ?? ""
      return "\(date)\t\(SafeText.line(item.link))\t\(StoryTitle.text(item))"
    }
    #expect(Self.lines(feed.lines) == expected)
    let lines = feed.lines
    (feed.items, feed.lines) = (items, StoryLines())
    // Notes, the title and the rest of the document.
    #expect(try feed == whole.get())
    feed.lines = lines
    return feed
  }

  private static func lines(_ lines: StoryLines) -> [String] {
    String(decoding: lines.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
