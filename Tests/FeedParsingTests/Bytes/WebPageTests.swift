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

  /// What is in the head, and the URLs announced.
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
  func likely() {
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
}
