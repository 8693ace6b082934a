import FeedModel
import Testing

@testable import FeedParsing
@testable import System

@Suite("Feeds that are not quite what the formats say")
struct FeedFidelityTests {
  private func atom(_ inside: String) throws -> Feed {
    try FeedParser.feed(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x" xmlns:h="http://www.w3.org/1999/xhtml" \
      xmlns:t="http://purl.org/dc/terms/"><title>T</title>\(inside)</feed>
      """
    )
  }

  private func rss(_ inside: String, url: String? = nil) throws -> Feed {
    try FeedParser.feed(
      """
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:x="urn:x"><channel>\
      <title>T</title>\(inside)</channel></rss>
      """,
      url: url,
    )
  }

  @Test(
    "a text of Atom says something whatever its type",
    arguments: [
      ("<title type='application/json'>{1}</title>", "{1}"),
      ("<title type='image/png'>a picture</title>", "a picture"),
      ("<title type='none'>a &lt;b> c</title>", "a <b> c"), ("<title type=''>a</title>", "a"),
      ("<title type='base64'>SGVsbG8=</title>", "Hello"),
      ("<title mode='base64'>PGI+SGVsbG88L2I+</title>", "Hello"),
      ("<title mode='base64' type='application/x'>PGI+</title>", "<b>"),
      ("<title mode='base64'>not in it</title>", "not in it"),
      ("<title mode='base64' type='application/xhtml+xml'>PGI+SGVsbG88L2I+</title>", "Hello"),
      ("<title mode='base64' type='text/plain'>PGI+SGVsbG88L2I+</title>", "<b>Hello</b>"),
      ("<title type='application/octet-stream'>PGI+SGVsbG88L2I+</title>", "Hello"),
      ("<title type='application/x-thing'>PGI+SGVsbG88L2I+</title>", "<b>Hello</b>"),
      ("<title type='HTML'>a &lt;b>c&lt;/b></title>", "a c"),
    ],
  )
  func textTypes(_ title: String, _ expected: String) throws {
    #expect(try atom("<entry>\(title)</entry>").items.map(\.title) == [expected])
  }

  @Test(
    "content of a media type is the text that it is, also in base64; a picture has none",
    arguments: [
      ("application/octet-stream", "SGVsbG8\n   gd29ybGQ=", "Hello world"),
      (
        "application/octet-stream", "PHA+SGlzdG9yeSBvZiB0aGUgJmx0O2JsaW5rJmd0OyB0YWc8L3A+",
        "History of the <blink> tag",
      ),
      ("application/x-markdown", "# Hi", "# Hi"), ("video/x", "Just words", "Just words"),
      ("text/markdown", "# SGVsbG8=", "# SGVsbG8="), ("image/png", "iVBORw0KGgoAAAAN", nil),
      ("application/x+xml", "<entry><title>a</title></entry>", "a"),
    ] as [(String, String, String?)],
  )
  func contentTypes(_ type: String, _ content: String, _ expected: String?) throws {
    let feed = try atom("<entry><content type='\(type)'>\(content)</content><id>1</id></entry>")
    #expect(feed.items.map(\.summary) == [expected])
    #expect(feed.items.map(\.guid) == ["1"])
  }

  @Test("a link of a story leads to what its relation says, and only its own page is the link")
  func relations() throws {
    let feed = try atom(
      """
      <link rel="related" href="https://e.example/feed"/><entry><id>1</id>
      <link rel="via" href="https://v.example/"/><link rel="related" type="application/pdf" \
      hreflang="de" href="/pdf"/><link rel="http://www.iana.org/assignments/relation/external" \
      href="https://x.example/"/><link rel="replies" href="https://r.example/"/>
      <link href="https://e.example/1"/><link rel="via">https://t.example/</link>
      <link rel="enclosure" type="image/png">https://e.example/a.png?a&amp;b</link>
      <link rel="related" href="https://e.example/1"/></entry>
      """
    )
    let item = try #require(feed.items.first)
    #expect(item.link == "https://e.example/1")
    #expect(
      item.related == [
        RelatedFile(role: .external, url: "https://x.example/"),
        RelatedFile(role: .related, url: "/pdf", type: "application/pdf", language: "de"),
        RelatedFile(role: .via, url: "https://v.example/"),
      ]
    )
    #expect(
      item.enclosures == [Enclosure(url: "https://e.example/a.png?a&b", type: "image/png")]
    )
  }

  @Test("an enclosure may have its address as text; without any it is none")
  func enclosureText() throws {
    let feed = try rss(
      """
      <item><title>a</title><enclosure type="audio/mpeg">https://e.example/a.mp3</enclosure></item>
      <item><title>b</title><enclosure type="audio/mpeg"></enclosure><enclosure/></item>
      <item><title>c</title><atom:link rel="enclosure">x</atom:link></item>
      """
    )
    #expect(
      feed.items.map { $0.enclosures.map(\.url) } == [["https://e.example/a.mp3"], [], ["x"]]
    )
    #expect(feed.items.map(\.link) == ["https://e.example/a.mp3", "", "x"])
  }

  @Test(
    "FeedBurner's and Pheedo's own address of a story is the link, wherever it stands",
    arguments: [
      ("<link>http://feedproxy.google.com/~r/x/~3/a/</link>", "http://o.example/a"),
      ("<link>https://feeds.example.org/~r/x/~3/a/</link>", "http://o.example/a"),
      (
        "<atom:link href='https://feeds.example.org/~3/a/' type='text/html'/>",
        "http://o.example/a",
      ),
      ("<guid>http://feeds.feedburner.com/~r/x/~3/a/</guid>", "http://o.example/a"),
    ],
  )
  func originalLink(_ link: String, _ expected: String) throws {
    for name in ["feedburner:origLink", "pheedo:origLink"] {
      let original = "<\(name)>http://o.example/a</\(name)>"
      for inside in [link + original, original + link] {
        #expect(try rss("<item><title>a</title>\(inside)</item>").items.map(\.link) == [expected])
      }
      let useless = "<item><title>a</title>\(link)<\(name)>mailto:x</\(name)></item>"
      #expect(try rss(useless).items.first?.link.contains("~3/a/") == true)
    }
  }

  @Test(
    "RSS 1.0 and 0.90 without stories are empty feeds",
    arguments: [
      ("http://purl.org/rss/1.0/", "", FeedFormat.rss10),
      ("http://purl.org/rss/1.0/", "<channel><items/></channel>", .rss10),
      ("http://my.netscape.com/rdf/simple/0.9/", "", .rss090),
      ("http://my.netscape.com/rdf/simple/0.9/", "<channel/>", .rss090),
    ],
  )
  func emptyRDF(_ namespace: String, _ inside: String, _ format: FeedFormat) throws {
    let feed = try FeedParser.feed(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="\(namespace)">\
      \(inside)</rdf:RDF>
      """
    )
    #expect(feed.items.isEmpty && feed.isComplete && feed.format == format)
  }

  @Test(
    "entries in a source and in elements of other vocabularies are none of the feed's",
    arguments: ["", "&", "<p>never closed"],
  )
  func foreignEntries(fault: String) throws {
    let feed = try atom(
      """
      <x:page><entry><title>other</title></entry><x:y><entry><title>deep</title></entry></x:y></x:page>
      <entry><title>one \(fault)</title><source><title>S</title><entry><title>its own</title></entry>
      <author><name>Ann</name></author></source><summary>after</summary></entry>
      <entry><title>two</title><x:y><entry><title>foreign</title></entry></x:y><id>2</id></entry>
      """
    )
    #expect(feed.items.map { $0.title.prefix(3) } == ["one", "two"])
    #expect(feed.items.first?.author == "Ann" && feed.items.first?.summary == "after")
    #expect(feed.items.last?.guid == "2")
  }

  @Test("elements of other vocabularies that are never closed swallow no story")
  func unclosedForeign() throws {
    let feed = try rss(
      """
      <x:owner>Ann<item><title>1</title><x:rank>5</item><item><title>2</title><x:rank>6<item>
      <title>3</title></item><item><title>4</title><x:rank>7</x:rank></item>
      """
    )
    #expect(feed.items.map(\.title) == ["1", "2", "3", "4"])
  }

  @Test(
    "markup in a field of one line leaves its text",
    arguments: [
      ("<author>Ann <b>Bee</b> Cee</author>", "Ann Bee Cee"),
      ("<author><i>Ann</i></author>", "Ann"),
      ("<author>Ann<br/>Bee</author>", "Ann Bee"),
      ("<author><div><p>Ann</p></div></author>", "Ann"),
      ("<author><name>Ann <b>Bee</b></name><email>a@b</email></author>", "Ann Bee"),
      ("<author>Ann <email>a@b</email></author>", "Ann"),
      ("<author>Ann <uri>http://a.example/</uri></author>", "Ann"),
      ("<author>Ann<script>x</script></author>", "Ann"),
    ],
  )
  func markupInAuthors(_ author: String, _ expected: String) throws {
    #expect(try rss("<item>\(author)</item>").items.map(\.author) == [expected])
    #expect(try atom("<entry>\(author)</entry>").items.map(\.author) == [expected])
  }

  @Test("markup in the other fields of one line leaves their text, too")
  func markupInFields() throws {
    let item = try #require(
      try rss(
        """
        <item><title>a <b>b</b></title><guid>g<b>1</b></guid><category>c <i>d</i></category>
        <link>http://a.example/<b>1</b></link><pubDate><b>2020-01-02</b></pubDate></item>
        """
      ).items.first
    )
    #expect(item.title == "a b" && item.guid == "g1" && item.categories == ["c d"])
    #expect(item.link == "http://a.example/1" && item.pubDate == "2020-01-02")
  }

  @Test(
    "links of stories are relative to xml:base, the channel's link, the document, its own address",
    arguments: [
      ("", nil, "http://self.example/f/a"),
      ("", "http://doc.example/d/x", "http://doc.example/d/a"),
      ("<link>http://home.example/h/</link>", nil, "http://home.example/h/a"),
      ("<link>http://home.example/h/</link>", "http://doc.example/", "http://home.example/h/a"),
      ("<link>/z/</link>", nil, "http://self.example/z/a"),
      ("<link>/z/</link>", "http://doc.example/", "http://doc.example/z/a"),
    ] as [(String, String?, String)],
  )
  func bases(_ link: String, _ url: String?, _ expected: String) throws {
    let own = "<atom:link rel='self' href='http://self.example/f/feed.xml'/>"
    let items =
      "<item><link>a</link></item><item xml:base='http://b.example/'><link>a</link></item>"
    for inside in [own + link + items, items + link + own, link + items + own] {
      let feed = try rss(inside, url: url)
      let isAfter = inside.hasPrefix("<item>") && url != nil && !link.isEmpty
      if !isAfter { #expect(feed.items.first?.link == expected) }
      #expect(feed.items.last?.link == "http://b.example/a")
    }
  }

  @Test(
    "of an entry's dates that of its creation counts before that of its last change",
    arguments: [
      ("<updated>2005-01-01</updated><t:created>2003-01-01</t:created>", "2003-01-01"),
      ("<t:created>2003-01-01</t:created><updated>2005-01-01</updated>", "2003-01-01"),
      ("<updated>2005-01-01</updated><updated>2006-01-01</updated>", "2005-01-01"),
      ("<updated>2005-01-01</updated><published>2004-01-01</published>", "2004-01-01"),
      ("<created>soon</created><updated>2005-01-01</updated>", "2005-01-01"),
    ],
  )
  func severalDates(_ dates: String, _ expected: String) throws {
    let date = try atom("<entry>\(dates)</entry>").items.first?.date
    #expect(date.map(RFC3339.string) == "\(expected)T00:00:00Z")
  }

  @Test("numeric references without a digit stay as they are")
  func digitlessReferences() throws {
    let text = "a &#; b &#x; c"
    for title in [text, "a &amp;#; b &amp;#x; c", "<![CDATA[\(text)]]>"] {
      let item = try #require(
        try rss("<item><title>\(title)</title><link>http://a.example/?&#;</link></item>").items
          .first
      )
      #expect(item.title == text && item.link == "http://a.example/?&#;")
    }
    let json = try FeedParser.feed("{\"items\":[{\"title\":\"\(text)\"}]}")
    #expect(json.items.map(\.title) == [text])
  }

  @Test("JSON Feed: its own address stands in for a home page, for its links too")
  func jsonAddress() throws {
    let feed = try FeedParser.feed(
      #"{"feed_url":"https://f.example/a/feed.json","items":[{"url":"b"},{"title":"if a<b"}]}"#
    )
    #expect(feed.link == "https://f.example/a/feed.json")
    #expect(feed.items.first?.link == "https://f.example/a/b")
    #expect(feed.items.last?.title == "if a<b")
  }

  @Test(
    "JSON Feed: sizes and times are numbers however they are written",
    arguments: [
      ("12.7", 12), ("\"1234\"", 1234), ("\" 1234.9 \"", 1234), ("1e3", 1000), ("0", nil),
      ("\"12 MB\"", nil), ("[5]", nil), ("-1", nil), ("1e400", nil), ("null", nil),
    ] as [(String, Int?)],
  )
  func jsonSizes(_ size: String, _ expected: Int?) throws {
    let feed = try FeedParser.feed(
      """
      {"items":[{"attachments":[{"url":"http://a.example/1","size_in_bytes":\(size),\
      "duration_in_seconds":\(size)}]}]}
      """
    )
    let enclosure = try #require(feed.items.first?.enclosures.first)
    #expect(enclosure.length.map { Int($0) } == expected && enclosure.duration == expected)
  }

  @Test(
    "JSON Feed: an author is a text or an object, or several of them",
    arguments: [
      ("\"Ann\"", "Ann"), ("[\"Ann\",{\"name\":\"Bo\"},null]", "Ann, Bo"),
      ("{\"name\":\"Ann\"}", "Ann"), ("[]", nil), ("true", nil), ("{\"name\":[1]}", nil),
      ("\"ann@a.example (Ann)\"", "Ann"), ("{\"url\":\"mailto:ann@a.example\"}", "ann@a.example"),
    ] as [(String, String?)],
  )
  func jsonAuthors(_ author: String, _ expected: String?) throws {
    for name in ["author", "authors"] {
      let feed = try FeedParser.feed("{\"items\":[{\"\(name)\":\(author)}]}")
      #expect(feed.items.map(\.author) == [expected])
    }
  }

  @Test("RSS in JSON: what is finished of a document that breaks off")
  func brokenRSSInJSON() throws {
    let feed = try FeedParser.feed(
      #"{"rss":{"channel":{"title":"T","items":[{"title":"1"},{"title":"2"},{"tit"#
    )
    #expect(feed.items.map(\.title) == ["1", "2"] && !feed.isComplete && feed.title == "T")
    #expect(feed.notes.contains("line 1: the JSON breaks off"))
  }

  @Test("RSS in JSON: no more stories than a document may have")
  func tooMuchRSSInJSON() throws {
    let limits = ParsingLimits(maximumBytes: 1 << 20)
    let items = [String](repeating: "{}", count: limits.maximumItems + 5).joined(separator: ",")
    let feed = try FeedParser.feed(
      "{\"rss\":{\"channel\":{\"item\":[\(items)]}}}",
      limits: limits,
    )
    #expect(feed.items.count == limits.maximumItems && !feed.isComplete)
  }
}
