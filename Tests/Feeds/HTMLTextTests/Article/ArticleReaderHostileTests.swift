import FeedModel
import TestSupport
import Testing

@Suite("ArticleReader, hostile pages")
struct ArticleReaderHostileTests {
  struct Page: Sendable, CustomTestStringConvertible {
    let name: String
    var unit: String
    var count: Int
    var before = "<body>"
    var after = ""

    var testDescription: String { name }
    var html: String { before + String(repeating: unit, count: count) + after }
  }

  static let pages = [
    Page(name: "nested blocks", unit: "<div>", count: 1_000_000),
    Page(name: "nested blocks with text", unit: "<div>some text, and more ", count: 200_000),
    Page(name: "paragraphs", unit: "<p>\(ArticlePage.prose(1))", count: 100_000),
    Page(name: "one paragraph", unit: "word, ", count: 900_000, before: "<body><p>"),
    Page(name: "attributes", unit: " a=b", count: 1_000_000, before: "<p", after: ">text"),
    Page(
      name: "different attributes",
      unit: " class=x",
      count: 7000,
      before: "<p",
      after: ">text",
    ),
    Page(
      name: "elements with names",
      unit: "<p class='comment-body article x' id='a'>a, b",
      count: 130_000,
    ),
    Page(name: "comments without an end", unit: "<!-- ", count: 1_000_000),
    Page(name: "scripts without an end", unit: "<script ", count: 600_000),
    Page(name: "line breaks", unit: "<br>", count: 1_000_000),
    Page(name: "end tags", unit: "</p></b></x>", count: 400_000),
    Page(name: "misnested tags", unit: "<b><i></b><p></i></p>", count: 200_000),
    Page(name: "tables in tables", unit: "<table><tr><td>", count: 300_000),
    Page(name: "headings in headings", unit: "<h1>a<span>", count: 200_000),
    Page(name: "siblings", unit: "<p>A b.</p>", count: 400_000, before: "<div>"),
    Page(name: "ampersands", unit: "&amp;&lt;", count: 500_000, before: "<p>"),
    Page(
      name: "quotes in a class",
      unit: "article comment ",
      count: 300_000,
      before: "<p class='",
    ),
    Page(name: "noscript", unit: "<noscript><p>a<img></noscript>", count: 100_000),
    Page(
      name: "pictures without a script",
      unit: "<b><img src=/a></b><noscript><img></noscript>",
      count: 80_000,
    ),
    Page(
      name: "labels",
      unit: "<label>a</label>",
      count: 150_000,
      before: String(repeating: "<div>", count: 250),
    ),
    Page(name: "links as headings", unit: "<h2><a href=//a.b/c>d</a></h2>e. ", count: 60_000),
    Page(name: "zero bytes", unit: "\0<\0", count: 1_000_000),
  ]

  @Test(
    "no page is far more work than an ordinary one of its size, or makes much",
    arguments: pages,
  )
  func bounded(_ page: Page) {
    let html = page.html
    let (article, work) = threadWork { ArticleReaderTests.article(html) }
    let plain = Page(name: "", unit: "<p>\(ArticlePage.prose(1))", count: 10_000)
    let plainHTML = String(plain.html.prefix(max(html.utf8.count, 200_000)))
    let plainWork = threadWork { ArticleReaderTests.article(plainHTML) }.nanoseconds
    // Quadratic work would take ten thousand times as much.
    #expect(work < 100 * plainWork)
    #expect((article?.bytes.count ?? 0) <= 1 << 20)
  }

  @Test("a long article is cut to 1 MiB of whole elements and characters")
  func cut() throws {
    let page = Page(
      name: "",
      unit: "<p><em>é&amp;ü, \(ArticlePage.prose(1))</em></p>",
      count: 10_000,
    )
    let article = try #require(ArticleReaderTests.article(page.html))
    #expect((900_000...1 << 20).contains(article.bytes.count))
    let html = try #require(String(validating: article.bytes, as: UTF8.self))
    #expect(html.hasSuffix("</p>") || html.hasSuffix("</div>"))
    #expect(html.split(separator: "<em>").count - 1 == html.split(separator: "</em>").count - 1)
  }

  @Test(
    "a page of 4 MB of text is an article",
    arguments: [("<p>", "</p>"), ("", "<br><br>"), ("<div>", "</div>"), ("", " ")],
  )
  func long(_ start: String, _ end: String) throws {
    for container in ["div class=x", "article", "p"] {
      let unit = "\(start)é \(ArticlePage.prose(1))\(end)"
      let page = Page(name: "", unit: unit, count: 24_000, before: "<body><\(container)>")
      let article = try #require(ArticleReaderTests.article(page.html))
      #expect((900_000...1 << 20).contains(article.bytes.count))
      #expect(String(validating: article.bytes, as: UTF8.self) != nil)
    }
  }

  @Test("what is cut off anywhere is read without a fault")
  func truncated() {
    let bytes = Array(ArticlePage.blog.html.utf8)
    for end in stride(from: 0, through: bytes.count, by: 7) {
      _ = ArticleReaderTests.article(String(decoding: bytes[..<end], as: UTF8.self))
    }
  }
}
