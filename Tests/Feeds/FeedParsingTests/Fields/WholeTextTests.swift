import FeedModel
import Testing

@testable import FeedParsing

@Suite("A story's whole text")
struct WholeTextTests {
  struct Scenario: Sendable, CustomStringConvertible {
    let description: String
    let document: String
    /// The form, `html` or `text`, the base in brackets if there is one, and the text; nil for no
    /// text.
    let text: String?
  }

  private static func rss(_ item: String) -> String {
    """
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://purl.org/dc/elements/1.1/" xml:base="https://base.example/"><channel>
    <item><title>T</title>\(item)</item></channel></rss>
    """
  }

  private static func atom(_ entry: String) -> String {
    "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><title>T</title>\(entry)</entry></feed>"
  }

  private static let long = String(repeating: "long ", count: 300)

  private static let scenarios = [
    Scenario(
      description: "all of it is in the summary",
      document: rss("<description>Short.</description>"),
      text: nil,
    ),
    Scenario(
      description: "lines are more than a summary",
      document: rss("<description>One.\nTwo.</description>"),
      text: "html[https://base.example/] One.\nTwo.",
    ),
    Scenario(
      description: "one line between others",
      document: rss("<description>\n One.\n</description>"),
      text: nil,
    ),
    Scenario(
      description: "a summary cuts it",
      document: rss("<description>\(long)</description>"),
      text: "html[https://base.example/] \(long.dropLast())",
    ),
    Scenario(
      description: "a text of more than a list's summary",
      document: rss("<description>\(long.prefix(205))</description>"),
      text: "html[https://base.example/] \(long.prefix(204))",
    ),
    Scenario(
      description: "markup is more than its words",
      document: rss("<description>A &lt;b&gt;word&lt;/b&gt;.</description>"),
      text: "html[https://base.example/] A <b>word</b>.",
    ),
    Scenario(
      description: "the content, and below it what says more",
      document: rss(
        "<description>Longer words.</description><content:encoded><![CDATA[<p>Whole</p>]]>"
          + "</content:encoded><dc:description>Longer words!</dc:description>"
      ),
      text: "html[https://base.example/] <p>Whole</p><h4>Description</h4>"
        + "<div style=\"white-space:pre-line\">Longer words.</div>",
    ),
    Scenario(
      description: "markup that nobody escaped",
      document: rss(
        "<description>Of <p class=\"a&quot;b\">one &amp; <a href=\"/x?a=1&amp;b=2\">two</a>"
          + "<br/><script>bad()</script></p> end</description>"
      ),
      text: "html[https://base.example/] Of <p class=\"a&quot;b\">one & "
        + "<a href=\"/x?a=1&amp;b=2\">two</a><br></p> end",
    ),
    Scenario(
      description: "XHTML, its text escaped, an unknown element's text kept",
      document: atom(
        """
        <content type="xhtml" xml:base="http://c.example/d/"><div xmlns="http://www.w3.org/1999/xhtml">\
        <h2>A &lt; B &amp; C</h2><my-own>x</my-own><img src="i.png" alt="I"/></div></content>
        """
      ),
      text: "html[http://c.example/d/] <div><h2>A &lt; B &amp; C</h2>x"
        + "<img src=\"i.png\" alt=\"I\"></div>",
    ),
    Scenario(
      description: "what plays and is embedded, without the words for those who cannot play it",
      document: atom(
        """
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">"A" \
        <video poster="p"><source src="v.mp4"/>No video <a href="/d">here</a>.</video>\
        <iframe src="/f">No <b>frames</b></iframe><p>B</p></div></content>
        """
      ),
      text: "html <div>\"A\" <video poster=\"p\"><source src=\"v.mp4\"></video>"
        + "<iframe src=\"/f\"></iframe><p>B</p></div>",
    ),
    Scenario(
      description: "a prefix before the names of XHTML",
      document: atom(
        """
        <content type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml"><h:p>P</h:p></h:div>\
        </content>
        """
      ),
      text: "html <div><p>P</p></div>",
    ),
    Scenario(
      description: "plain text of Atom, which no summary can cut into lines",
      document: atom("<content type=\"text\">\(long)a &lt; b</content>"),
      text: "text \(long)a < b",
    ),
    Scenario(
      description: "base64 of Atom 0.3",
      document: atom("<content type=\"text/html\" mode=\"base64\">PGI+Ym9sZDwvYj4=</content>"),
      text: "html <b>bold</b>",
    ),
    Scenario(
      description: "JSON Feed's HTML",
      document:
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"id\":\"1\",\"content_text\":\"W\",\"content_html\":\"<p>W</p>\"}]}",
      text: "html <p>W</p>",
    ),
  ]

  private func texts(_ document: String) throws -> [StoryText?] {
    var limits = ParsingLimits.standard
    limits.kept = .texts
    return try FeedParser.feed(document, limits: limits).texts
  }

  @Test("is kept where the summary is not all of it", arguments: scenarios)
  func kept(_ scenario: Scenario) throws {
    let text = try #require(try texts(scenario.document).first)
    let told = text.map { text in
      let base = text.base.map { "[\($0)]" } ?? ""
      return
        "\(text.isHTML ? "html" : "text")\(base) \(String(decoding: text.bytes, as: UTF8.self))"
    }
    #expect(told == scenario.text)
  }

  @Test("has a number that tells it from others, and is the story's")
  func number() throws {
    var limits = ParsingLimits.standard
    limits.kept = .texts
    let feed = try FeedParser.feed(
      Self.rss("<description>&lt;i&gt;1&lt;/i&gt;</description>"),
      limits: limits,
    )
    let text = try #require(feed.texts[0])
    #expect(feed.items[0].textNumber == text.number)
    // The number stands in people's files, and must never change.
    #expect(StoryText(isHTML: true, bytes: Array("<p>".utf8)).number == 6_389_086_138_588_150_603)
    #expect(
      StoryText(isHTML: true, bytes: Array("<p>whole text</p>".utf8)).number
        == 7_858_681_066_398_673_677
    )
    let others = [
      StoryText(isHTML: false, base: text.base, bytes: text.bytes),
      StoryText(isHTML: true, bytes: text.bytes),
      StoryText(isHTML: true, base: text.base, bytes: text.bytes + [0x20]),
    ]
    #expect(Set(others.map(\.number) + [text.number]).count == 4)
  }

  @Test("leaves the beginning of the summary, but for a story without title")
  func shortSummary() throws {
    var limits = ParsingLimits.standard
    limits.kept = .texts
    let document = Self.rss("<description>\(Self.long)</description>")
    let short = Self.long.prefix(194) + "..."
    #expect(try FeedParser.feed(document, limits: limits).items[0].summary == String(short))
    #expect(try FeedParser.feed(document).items[0].summary?.count == 1000)
    let untitled = document.replacing("<title>T</title>", with: "")
    #expect(try FeedParser.feed(untitled, limits: limits).items[0].summary?.count == 1000)
  }

  @Test(
    "has its powers in brackets in a summary, also where nobody escaped them; a title stays",
    arguments: [
      ("2<sup>l+1</sup> a", "2^(l+1) a"), ("x<sup><i>n</i>-1</sup>", "x^(n-1)"),
      ("1<sup>st</sup>", "1st"), ("a<sup/>b<sup>2n</sup>", "ab^(2n)"),
      ("x<sup>a<sub>i</sub>-1</sup> y<sub>2</sub>", "x^(a_i-1) y₂"),
    ],
  )
  func powers(markup: String, summary: String) throws {
    let div = "<div xmlns=\"http://www.w3.org/1999/xhtml\">\(markup)</div>"
    let item = try FeedParser.feed(
      Self.atom("<title type=\"xhtml\">\(div)</title><summary type=\"xhtml\">\(div)</summary>")
        .replacing("<title>T</title>", with: "")
    ).items[0]
    #expect(item.summary == summary)
    #expect(!item.title.contains("^"))
  }

  @Test("is not looked for where nobody wants it")
  func unwanted() throws {
    let feed = try FeedParser.feed(Self.rss("<description>&lt;i&gt;1&lt;/i&gt;</description>"))
    #expect(feed.texts == [])
    #expect(feed.items[0].textNumber == 0)
  }

  @Test("has a mebibyte at most, whatever escapes make of it")
  func limit() throws {
    let megabytes = String(repeating: "x", count: 3 << 20)
    #expect(
      try texts(Self.rss("<description>\(megabytes)</description>"))[0]?.bytes.count == 1 << 20
    )
    let quotes = String(repeating: "&#38;", count: 40_000)
    let open = String(repeating: "<p title=\"\(quotes)\">", count: 30)
    let close = String(repeating: "</p>", count: 30)
    let size = try texts(Self.rss("<description>\(open)\(close)</description>"))[0]?.bytes.count
    #expect(size ?? 0 < 3 << 20)
  }
}
