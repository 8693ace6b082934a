import FeedModel
import Testing

@testable import FeedParsing

@Suite("FeedParser")
struct FeedParserTests {
  @Test(
    "what is no feed is an error that says what it is",
    arguments: [
      ("", "empty document"),
      (" \n\t ", "empty document"),
      ("hello, world", "not a feed: neither XML nor JSON"),
      ("<opml version=\"2.0\"><body/></opml>", "not a feed: the root element is opml"),
      ("<x:thing xmlns:x=\"urn:x\"/>", "not a feed: the root element is x:thing"),
      ("<!DOCTYPE html><html><body>Gone</body></html>", "a web page, not a feed"),
      ("<?xml version=\"1.0\"?><!-- nothing -->", "line 1: no root element"),
      ("{\"name\":\"value\"}", "not a feed: the root element is a JSON object"),
      ("{\"title\"", "line 1: not JSON"),
      (
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Bag/></rdf:RDF>",
        "not a feed: the root element is RDF",
      ),
      ("{\"rss\":\"yes\"}", "not a feed: the root element is a JSON object"),
    ],
  )
  func rejects(_ document: String, _ message: String) {
    #expect(throws: FeedParsingError.self) { try FeedParser.feed(document) }
    do throws(FeedParsingError) {
      _ = try FeedParser.feed(document)
    } catch {
      #expect(error.description == message)
    }
  }

  @Test(
    "JSON is read behind what servers put before it",
    arguments: [
      ")]}'\n", "callback(", "/* made by hand */", "// made by hand\n",
      "<br />\n<b>Warning</b>: x\n",
      "Notice: Undefined index in /srv/feed.php\n", "while(1);", "\u{FEFF}",
    ],
  )
  func jsonBehind(_ start: String) throws {
    let json = "{\"version\":\"https://jsonfeed.org/version/1\",\"title\":\"T\",\"items\":[]}"
    #expect(try FeedParser.feed(start + json).title == "T")
  }

  @Test(
    "a feed's own picture is its image or icon, and no story's",
    arguments: [
      (
        "<rss><channel><image><title>T</title><link>/t</link><url>i.png</url></image></channel></rss>",
        "http://x.example/i.png",
      ),
      ("<feed xmlns=\"http://www.w3.org/2005/Atom\"><icon>/i</icon></feed>", "http://x.example/i"),
      (
        "<rss xmlns:i=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><i:image href=\"/p\"/>"
          + "</channel></rss>", "http://x.example/p",
      ),
      (
        "{\"version\":\"https://jsonfeed.org/version/1\",\"icon\":\"/i\",\"favicon\":\"/f\"}",
        "http://x.example/f",
      ),
      (
        "<rss><channel><url>/a</url><item><icon>/i</icon><url>/u</url><image><url>/p</url></image>"
          + "</item></channel></rss>", nil,
      ),
      ("<rss><channel><image><url>javascript:x</url></image></channel></rss>", nil),
    ] as [(String, String?)],
  )
  func icons(_ document: String, _ icon: String?) throws {
    let feed = try FeedParser.feed(document, url: "http://x.example/feed")
    #expect(feed.icon == icon)
    #expect(feed.title == nil && feed.link != "http://x.example/t")
  }

  @Test("of members with one name the last counts")
  func lastMember() throws {
    let item = "{\"id\":\"1\",\"title\":\"First\",\"title\":\"Last\"}"
    let feed = try FeedParser.feed(
      "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[\(item)]}"
    )
    #expect(feed.items.map(\.title) == ["Last"])
  }

  @Test("a web page is an error that has the feeds which the page announces")
  func webPage() {
    let page = """
      <html><head><link rel="alternate" type="application/rss+xml" title="News" href="/feed.xml">
      </head><body>Welcome</body></html>
      """
    let announced = [
      AnnouncedFeed(
        url: "http://page.example/feed.xml",
        title: "News",
        type: "application/rss+xml",
      )
    ]
    #expect(throws: FeedParsingError.webPage(announced: announced)) {
      try FeedParser.feed(page, url: "http://page.example/")
    }
  }

  @Test("a long comment before the root hides nothing")
  func longComment() throws {
    let comment = "<!--\(String(repeating: "x", count: 200_000))-->"
    let feed = try FeedParser.feed("\(comment)<rss version=\"0.92\"><channel/></rss>")
    #expect(feed.format == .rss092)
  }

  @Test("where the document came from is the base of what has no other")
  func documentBase() throws {
    let document =
      "<rss version=\"2.0\"><channel><item><link>../1</link></item><link>/</link></channel></rss>"
    let feed = try FeedParser.feed(document, url: "http://from.example/a/b/feed.xml")
    #expect(feed.link == "http://from.example/")
    #expect(feed.items.map(\.link) == ["http://from.example/a/1"])
  }

  @Test("of the stories over the limit the later ones are left out, and the feed says so")
  func tooManyItems() throws {
    let limits = ParsingLimits(maximumBytes: 1 << 20)
    let items = String(repeating: "<item/>", count: limits.maximumItems + 5)
    // Markup that is broken behind them is not read, and so no reason to repair the document.
    for rest in ["</channel></rss>", "<item>&nothing;</unopened>"] {
      let document = "<rss version=\"2.0\"><channel><title>T</title>\(items)\(rest)"
      let feed = try FeedParser.feed(document, limits: limits)
      #expect(feed.items.count == limits.maximumItems)
      #expect(!feed.isComplete)
      #expect(feed.notes.first == "stories after the first 10000 are left out")
      #expect(!feed.notes.contains { $0.hasPrefix("line") || $0.contains("breaks off") })
    }
    let broken = "<rss version=\"2.0\"><channel><title>A & B</title>\(items)"
    let feed = try FeedParser.feed(broken, limits: limits)
    #expect(feed.items.count == limits.maximumItems && feed.title == "A & B")
    #expect(!feed.notes.contains("the document breaks off"))
  }

  @Test("a field is not longer than people read, and is not cut inside a character")
  func longFields() throws {
    let long = String(repeating: "ü", count: 100_000)
    let feed = try FeedParser.feed(
      """
      <rss version="2.0"><channel><title>T</title><item><title>\(long)</title>\
      <link>http://x.example/\(long)</link><guid>\(long)</guid><description>\(long)</description>\
      </item></channel></rss>
      """
    )
    let item = try #require(feed.items.first)
    #expect(item.title == String(repeating: "ü", count: 999) + "…")
    #expect(item.summary == String(repeating: "ü", count: 999) + "…")
    #expect(item.link.isEmpty)
    #expect(item.guid == nil)
  }

  @Test("a document of which libxml2 did not read the end is not complete")
  func hugeText() throws {
    let huge = String(repeating: "x", count: 11_000_000)
    let feed = try FeedParser.feed(
      """
      <rss version="2.0"><channel><title>T</title><item><title>1</title></item>\
      <item><title><![CDATA[\(huge)]]></title></item></channel></rss>
      """
    )
    #expect(feed.items.first?.title == "1")
    #expect(feed.isComplete == (feed.items.count == 2))
  }

  @Test("a document that breaks off says so")
  func breaksOff() throws {
    let feed = try FeedParser.feed("<rss version=\"2.0\"><channel><title>T</title><item>")
    #expect(feed.notes.contains("the document breaks off"))
    #expect(!feed.isComplete)
  }
}
