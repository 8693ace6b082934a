import FeedModel
import Testing

@testable import FeedParsing
@testable import HTMLText

@Suite("ArticleReader")
struct ArticleReaderTests {
  static let url = "https://example.com/a/story"

  static func article(_ bytes: [UInt8], charset: String? = nil) throws -> StoryText? {
    try bytes.withUnsafeBytes { try ArticleReader.article($0, url: url, charset: charset) }
  }

  private func html(_ page: String, charset: String? = nil) throws -> String? {
    try Self.article(Array(page.utf8), charset: charset).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  @Test("the article is taken, and nothing around it", arguments: ArticlePage.all)
  func article(_ page: ArticlePage) throws {
    let html = try #require(try html(page.html))
    for text in page.wanted { #expect(html.contains(text), "\(html)") }
    for text in page.unwanted { #expect(!html.contains(text), "\(html)") }
  }

  @Test("what is no article is none", arguments: ArticlePage.none)
  func none(_ page: ArticlePage) throws {
    #expect(try html(page.html) == nil)
  }

  @Test("a page's encoding is the transport's or its own")
  func charset() throws {
    let text = ArticlePage.paragraphs(1...3)
    let body = Array("<body><div>\(text)<p>Caf".utf8) + [0xE9] + Array(", good.</p></div>".utf8)
    let head = Array("<head><meta charset=\"iso-8859-1\"></head>".utf8)
    for (page, charset) in [(head + body, nil), (body, "windows-1252"), (body, "latin1")] {
      let article = try #require(try Self.article(page, charset: charset))
      #expect(String(decoding: article.bytes, as: UTF8.self).contains("Café, good."))
    }
  }

  @Test(
    "links are against the page's base, or its URL",
    arguments: [
      ("", url), ("<base href=\"../b/\">", "https://example.com/b/"),
      ("<base href=\"https://example.org/\">", "https://example.org/"),
      ("<base href=\"javascript:x\">", url),
    ],
  )
  func base(_ head: String, _ base: String) throws {
    let page = "<head>\(head)</head><body><div>\(ArticlePage.paragraphs(1...3))</div></body>"
    let article = try #require(try Self.article(Array(page.utf8)))
    #expect(article.isHTML)
    #expect(article.base == base)
  }

  @Test("a page that shows only the beginning of its article says so", arguments: CutPage.all)
  func cut(_ page: CutPage) throws {
    let article = try #require(try Self.article(Array(page.html.utf8)))
    let html = String(decoding: article.bytes, as: UTF8.self)
    #expect(article.isCut == page.isCut)
    #expect(html.contains("Sentence 1 of"))
    for text in page.unwanted { #expect(!html.contains(text), "\(html)") }
  }

  @Test("80 characters are an article where the page says that it is one")
  func short() throws {
    let text =
      "<p>The ferry to the island, which was to leave at nine, has been cancelled for today, it said.</p>"
    let head = "<head><meta property=\"og:type\" content=\"article\"></head>"
    #expect(try html("<body><article>\(text)</article></body>") == nil)
    #expect(
      try html("<html>\(head)<body><article>\(text)</article></body>")?.contains("ferry") == true
    )
    #expect(try html("<html>\(head)<body><article><p>Gone.</p></article></body>") == nil)
  }

  @Test("250 characters outside links are an article, fewer are none")
  func length() throws {
    let word = String(repeating: "abcd ", count: 50)
    #expect(try html("<body><div><p>\(word)e</p></div>") != nil)
    #expect(try html("<body><div><p>\(word.dropLast(6))</p></div>") == nil)
    #expect(try html("<body><div><p><a href=x>\(word)e</a></p></div>") == nil)
  }

  @Test("an article renders as its feed's text would")
  func rendered() throws {
    let article = try #require(try Self.article(Array(ArticlePage.documentation.html.utf8)))
    let document = try StoryDocumentReader.document(article, link: Self.url)
    #expect(document.blocks.contains { if case .table = $0 { true } else { false } })
    #expect(document.blocks.contains { if case .preformatted = $0 { true } else { false } })
  }
}
