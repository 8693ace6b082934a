import FeedModel
import Testing

@testable import FeedParsing

@Suite("WebPage")
struct WebPageTests {
  private static func feeds(_ page: String) -> [AnnouncedFeed]? {
    let run = StageRun.repair([UInt8](page), url: "https://example.org/blog/")
    guard case .webPage(let announced) = run.error else { return nil }
    return announced
  }

  static let heads: [(head: String, urls: [String])] = [
    (
      "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed\">",
      ["https://example.org/feed"],
    ),
    (
      "<LINK HREF=feed.atom TYPE=application/atom+xml REL=alternate>",
      ["https://example.org/blog/feed.atom"],
    ),
    (
      "<link rel='Alternate home' type='application/feed+json; charset=utf-8' href='f?a=1&amp;b=2&c'/>",
      ["https://example.org/blog/f?a=1&b=2&c"],
    ),
    (
      "<base href='/x/'><link rel=alternate type='text/xml' href='rss.xml'>",
      ["https://example.org/x/rss.xml"],
    ),
    ("<link rel='feed' href='//cdn.example.net/f'>", ["https://cdn.example.net/f"]),
    (
      "<link rel=alternate type=application/rss+xml href='feed://example.org/a'>",
      ["https://example.org/a"],
    ),
    ("<a href='itpc://example.org/a'>Podcast</a>", ["https://example.org/a"]),
    (
      "<link rel=alternate type=application/rss+xml href=' FEED:HTTP://example.org/a '>",
      ["http://example.org/a"],
    ),
    (
      "<!-- <link rel=alternate type=application/rss+xml href=a> --><link rel=alternate type=application/rss+xml href=b>",
      ["https://example.org/blog/b"],
    ),
    ("<script>'<link rel=alternate type=application/rss+xml href=a>'</script>", []),
    ("<textarea><link rel=alternate type=application/rss+xml href=a></textarea>", []),
    ("<link rel='stylesheet alternate' type=application/rss+xml href=a>", []),
    (
      "<link rel=alternate type=application/json href=/wp-json/posts/1><link rel=alternate hreflang=de href=/de>",
      [],
    ),
    ("<link rel=alternate type=application/rss+xml href='javascript:x'>", []),
    (
      "<link rel=alternate type=application/rss+xml href=a><link rel=alternate type=application/rss+xml href=a>",
      ["https://example.org/blog/a"],
    ),
  ]

  @Test("a page's feeds are found", arguments: heads)
  func announced(_ row: (head: String, urls: [String])) {
    let page =
      "<!DOCTYPE html>\n<html><head><title>x</title>\(row.head)</head><body>y</body></html>"
    #expect(Self.feeds(page)?.map(\.url) == row.urls)
  }

  @Test("titles and types are decoded and clean")
  func titles() {
    let link =
      "<link rel=alternate type=application/rss+xml title='A &amp;&#160;&eacute;\u{202E} ' href=a>"
    #expect(
      Self.feeds("<html>\(link)") == [
        AnnouncedFeed(
          url: "https://example.org/blog/a",
          title: "A & é",
          type: "application/rss+xml",
        )
      ]
    )
  }

  @Test("without announcements links that look like feeds are taken")
  func likelyLinks() {
    let body = """
      <a href="/about">a</a><a href="/feed/">b</a><a href='https://feeds.feedburner.com/x'>c</a>
      <a href="/sitemap.xml">d</a><a href="/news.rss">e</a><a href="/?feed=rss2">f</a>
      """
    #expect(
      Self.feeds("<html><body>\(body)")?.map(\.url) == [
        "https://example.org/feed/", "https://feeds.feedburner.com/x",
        "https://example.org/news.rss", "https://example.org/?feed=rss2",
      ]
    )
  }

  static let bodies: [(body: String, urls: [String], evidence: AnnouncedFeed.Evidence)] = [
    (
      "<a href='https://s.example/x?fmt=atom' rel=alternate type='application/atom+xml'>A</a>",
      ["https://s.example/x?fmt=atom"], .typedLink,
    ),
    ("<a href='/s' type='application/rss+xml; charset=utf-8'>x</a>", ["/s"], .typedLink),
    ("<a href='/s' rel=alternate type='text/xml'>x</a><a href='/feed'>y</a>", ["/s"], .typedLink),
    ("<a href='/x?a'>RSS</a>", ["/x?a"], .name),
    ("<a href='/x'><img src=i alt='RSS feed'></a>", ["/x"], .name),
    ("<a href='/x'><b>Subscribe</b> via\n<i>Atom</i> (1.0)</a>", ["/x"], .name),
    ("<a href='/x' title='Flux RSS'><svg></svg></a>", ["/x"], .name),
    ("<a href='/x' aria-label='RSS-Feed abonnieren'></a>", ["/x"], .name),
    ("<a href='/x'>How RSS works</a><a href='/y'>The Atom</a>x RSS", ["/y"], .name),
    ("<a href='#rss'>RSS</a><a href='https://example.org/blog/'>RSS</a>", [], .name),
    ("<a href='/x'>Our atom bomb</a><a>RSS</a><a href='mailto:a@b'>RSS</a>", [], .name),
    ("<link rel=alternate type='text/xml' title=RSS href='/syndicate'>", ["/syndicate"], .element),
    ("<link rel=alternate type='application/xml' href='/s'>", ["/s"], .element),
    ("<meta http-equiv=Refresh content='0; URL=/s'><a href='/feed'>a</a>", ["/s"], .refresh),
    ("<META CONTENT=\"1;url='/s?a=1&amp;b=2' \" HTTP-EQUIV=refresh>", ["/s?a=1&b=2"], .refresh),
    ("<meta http-equiv=refresh content='5 /s'>", ["/s"], .refresh),
    ("<meta http-equiv=refresh content=300><a href='/feed'>a</a>", ["/feed"], .address),
    ("<meta http-equiv=refresh content='9; url=/blog/'><a href=/feed>a</a>", ["/feed"], .address),
    ("<meta http-equiv=refresh content='0; url=javascript:x'>", [], .refresh),
    (
      "<link rel=feed href=/f><meta http-equiv=refresh content='0; url=/s'>", ["/f"], .element,
    ),
  ]

  @Test("what a page leads on to is a feed's address only if it looks like one")
  func likely() {
    func isLikely(_ url: String, _ evidence: AnnouncedFeed.Evidence) -> Bool {
      AnnouncedFeed(url: url, evidence: evidence).isLikely
    }
    #expect(isLikely("https://a.example/feed.xml", .refresh))
    #expect(!isLikely("http://portal.example/login", .refresh))
    #expect(isLikely("https://a.example/x", .typedLink))
    #expect(!isLikely("https://a.example/x", .name))
  }

  @Test(
    "links in the text are taken by type, address and name, the surest alone",
    arguments: bodies,
  )
  func textLinks(
    _ row: (body: String, urls: [String], evidence: AnnouncedFeed.Evidence)
  ) throws {
    let feeds = try #require(Self.feeds("<html><body>\(row.body)</body></html>"))
    #expect(
      feeds.map(\.url) == row.urls.map { $0.hasPrefix("/") ? "https://example.org\($0)" : $0 }
    )
    #expect(feeds.allSatisfy { $0.evidence == row.evidence })
  }

  @Test(
    "a feed of comments stands behind every other",
    arguments: [
      ("/comments/feed/", "x"), ("/?feed=comments-rss2", "x"), ("/feeds/comments/default", "x"),
      ("/post/feed/", "Blog » Post Comments Feed"),
      ("/post/feed/", "Blog » Kommentar-Feed zu Post"),
      ("/post/feed/", "Blog » Flux des commentaires"), ("/p/feed/", "Blog &raquo; コメントフィード"),
      ("/p/feed/", "Blog » Лента комментариев"), ("/p/feed/", "Blog » Feed dei commenti"),
    ],
  )
  func comments(_ address: String, _ title: String) throws {
    let comments =
      "<link rel=alternate type=application/rss+xml title='\(title)' href='\(address)'>"
    let mains = [
      "<link rel=alternate type=text/xml href='/main'>", "<a href='/main'>RSS</a>",
      "<a type=application/atom+xml href='/main'>x</a>",
    ]
    for main in mains {
      let feeds = try #require(Self.feeds("<html>\(comments)\(main)"))
      #expect(feeds.first?.url == "https://example.org/main")
      #expect(feeds.map(\.isOfComments) == [false] || feeds.map(\.isOfComments) == [false, true])
    }
    #expect(Self.feeds("<html>\(comments)")?.map(\.isOfComments) == [true])
    let named = AnnouncedFeed(url: "https://c.example/feed", title: "Commentary Magazine » Feed")
    #expect(!named.isOfComments)
  }

  static let fields: [(fields: [String], urls: [String])] = [
    (
      ["<https://s.example/f>; rel=\"alternate\"; type=\"application/rss+xml\""],
      ["https://s.example/f"],
    ),
    (["</f>;rel=alternate;type=application/atom+xml"], ["https://example.org/f"]),
    (["<f>; TYPE=text/xml ; Rel = \"x ALTERNATE\""], ["https://example.org/blog/f"]),
    (
      [
        "</style.css>; rel=preload; as=style, </a,b;c>; title=\"a, <b>; \\\"c\\\"\"; "
          + "rel=alternate; type=\"application/rss+xml\", <d>; rel=feed"
      ], ["https://example.org/a,b;c", "https://example.org/blog/d"],
    ),
    (["</a>; rel=next", "</b>; rel=feed"], ["https://example.org/b"]),
    (["</wp-json/>; rel=\"https://api.w.org/\"", "</p>; rel=shortlink"], []),
    (["</wp-json/1>; rel=alternate; type=\"application/json\""], []),
    (
      ["</f>; rel=feed; anchor=\"/other\"", "<javascript:x>; rel=feed", "", "<", "<a", "a>;;="], [],
    ),
    (["</f>; rel=self; rel=feed"], []),
    (
      [
        (0..<200).map { "</style\($0).css>; rel=preload" }.joined(separator: ", ")
          + ", </feed>; rel=feed"
      ], ["https://example.org/feed"],
    ),
  ]

  @Test("an answer's Link fields announce feeds as link elements do", arguments: fields)
  func header(_ row: (fields: [String], urls: [String])) {
    let feeds = LinkHeader.announcedFeeds(row.fields, url: "https://example.org/blog/")
    #expect(feeds.map(\.url) == row.urls)
    #expect(feeds.allSatisfy { $0.evidence == .header })
  }

  @Test("a title in a Link field is decoded, and comes before links in the text")
  func headerTitle() throws {
    let field = "</f>; rel=alternate; title=a; title*=UTF-8'de'%C3%9Cber%20uns; type=text/rss"
    let page = [UInt8]("<html><a href='/feed'>x</a></html>")
    let error = #expect(throws: FeedParsingError.self) {
      try page.withUnsafeBytes { page throws(FeedParsingError) in
        try FeedParser.feed(page, url: "https://example.org/", links: [field])
      }
    }
    let feed = AnnouncedFeed(
      url: "https://example.org/f",
      title: "Über uns",
      type: "text/rss",
      evidence: .header,
    )
    #expect(error == .webPage(announced: [feed]))
  }

  @Test("a page is read as far as it makes sense")
  func bounds() {
    let link = "<link rel=alternate type=application/rss+xml href=a"
    let many = (0..<80).map { "\(link)\($0)>" }.joined()
    #expect(Self.feeds("<html>\(many)")?.count == WebPage.maximumFeeds)
    let far = String(repeating: " ", count: WebPage.maximumBytes)
    #expect(Self.feeds("<html>\(far)\(link)>") == [])
    let scripts = String(repeating: "<script><!--<title>", count: 20_000)
    #expect(Self.feeds("<html>\(scripts)") == [])
  }

  @Test("a feed that says it is HTML is none the less a feed")
  func notAPage() {
    #expect(Self.feeds("<!DOCTYPE html>\n<rss version='2.0'></rss>") == nil)
  }

  @Test("the place and the hub that a server names in its Link fields are noted (RFC 8288)")
  func links() throws {
    let fields = [
      "<https://hub.example/>; rel=\"hub\", </feed.xml>; rel=self",
      "<https://other.example/>; rel=hub", "</x>; rel=self; anchor=\"#a\"",
    ]
    let notes = { (url: String) throws -> [String] in
      try Array("<rss version=\"2.0\"><channel><title>T</title></channel></rss>".utf8)
        .withUnsafeBytes { bytes throws(FeedParsingError) in
          try FeedParser.feed(bytes, url: url, links: fields).notes
        }
    }
    let hub = "the hub https://hub.example/ tells of its news (Link: rel=hub)"
    #expect(try notes("https://a.example/feed.xml").filter { $0.contains("Link:") } == [hub])
    #expect(
      try notes("https://a.example/?feed=1").filter { $0.contains("Link:") }
        == ["its server calls it https://a.example/feed.xml (Link: rel=self)", hub]
    )
  }
}
