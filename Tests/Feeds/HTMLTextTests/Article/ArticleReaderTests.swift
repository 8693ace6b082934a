import FeedModel
import Testing

@testable import HTMLText

@Suite("ArticleReader")
struct ArticleReaderTests {
  static let url = "https://example.com/a/story"

  static func article(_ page: String) -> StoryText? {
    Array(page.utf8).withUnsafeBytes { ArticleReader.read($0, url: url).article }
  }

  private func html(_ page: String) -> String? {
    Self.article(page).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test("the article is taken, and nothing around it", arguments: ArticlePage.all)
  func article(_ page: ArticlePage) throws {
    let html = try #require(self.html(page.html))
    for text in page.wanted { #expect(html.contains(text), "\(html)") }
    for text in page.unwanted { #expect(!html.contains(text), "\(html)") }
  }

  @Test("what is no article is none", arguments: ArticlePage.none)
  func none(_ page: ArticlePage) {
    #expect(html(page.html) == nil)
  }

  /// A hundred ideographs say as much as three hundred letters.
  @Test(
    "an article in Chinese, Japanese or Korean is as long as what it says",
    arguments: [
      "据交通运输部消息，今日从新闻发布会获悉，目前京津冀交通一体化建设各项工作取得积极成效，"
        + "下一步将着力打造三地综合立体交通网络，实现区域内快速铁路覆盖所有地级及以上城市，形成相邻城市间基本实现一个半小时交通圈。",
      "６月12日の歴史的な首脳会談を巡って戦っていたのは、大統領と委員長ばかりではなかった。国家主席も重要な陰の参戦者だった。"
        + "軍事演習の中止にまで踏み込んだ会談は、一方的な譲歩であり、後退だと批判されている。",
      "국토교통부는 오늘 기자회견에서 수도권 교통 통합 사업이 순조롭게 진행되고 있으며, 앞으로 모든 도시를 한 시간 반 안에 오갈 수 "
        + "있는 철도망을 세우겠다고 밝혔다. 공사는 내년 봄에 시작하고, 첫 구간은 오 년 뒤에 열린다. 주민들은 역의 자리를 두고 "
        + "의견을 낼 수 있다고 한다.",
    ],
  )
  func denseScripts(_ text: String) {
    let page = "<body><ul><li><a href=/>首页</a></ul><div><p>\(text)</p></div></body>"
    #expect(html(page)?.contains(text) == true)
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
    let article = try #require(Self.article(page))
    #expect(article.isHTML)
    #expect(article.base == base)
  }

  @Test("a page that shows only the beginning of its article says so", arguments: CutPage.all)
  func cut(_ page: CutPage) throws {
    let article = try #require(Self.article(page.html))
    let html = String(decoding: article.bytes, as: UTF8.self)
    #expect(article.isCut == page.isCut)
    #expect(html.contains("Sentence 1 of"))
    for text in page.unwanted { #expect(!html.contains(text), "\(html)") }
  }

  @Test("a short text is an article where it is the page's main part, and no message")
  func short() {
    let text = "<p>\(ArticlePage.sentence)</p>"
    for page in [
      "<article>\(text)</article>", "<main>\(text)</main>",
      "<div class=entry-content>\(text)</div>",
    ] {
      #expect(html("<body>\(page)</body>")?.contains("ferry") == true)
    }
    let link = "<a href=/x>A headline that leads elsewhere</a>"
    #expect(html("<body><div>\(text)</div></body>")?.contains("ferry") == true)
    #expect(html("<body><div>\(text)</div><ul><li>\(link)<li>\(link)</ul></body>") == nil)
    let card = "<article><h2>\(link)</h2>\(text)</article>"
    #expect(html("<body>\(card)\(card)</body>") == nil)
    for message in [
      "Gone.", "404", "Seite nicht gefunden.", "Please enable JavaScript to run this app.",
    ] {
      #expect(html("<body><article><p>\(message)</p></article></body>") == nil)
    }
  }

  @Test("a template of a script does not take the place of a short article")
  func template() throws {
    let short = "<article><p>\(ArticlePage.sentence) \(ArticlePage.sentence)</p></article>"
    let letter = "<template><div><p>\(ArticlePage.prose(1))</p></div></template>"
    let found = try #require(html("<body>\(short)\(letter)</body>"))
    #expect(found.contains("ferry") && !found.contains("Sentence 1"))
    let script = "<script type='text/template'><div><p><%= a %> \(ArticlePage.prose(1)) "
    let long = script + "\(ArticlePage.prose(2))</p></div></script>"
    #expect(html("<body><div id=app></div>\(long)</body>") == nil)
  }

  @Test("a page that has the beginning of the story has it, and no front page has")
  func teaser() throws {
    let rest = "It may go at noon, they say, if the wind is <b>kind</b>."
    let teaser = String(ArticlePage.sentence.prefix(50))
    func found(_ body: String, _ teaser: String) -> String? {
      Array("<body>\(ArticlePage.navigation)\(body)</body>".utf8).withUnsafeBytes {
        ArticleReader.read($0, url: Self.url, teaser: teaser).article
      }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    let post = "<div><div><p>\(ArticlePage.sentence)</p><p>\(rest)</p></div></div>"
    let others = (1...9).map { "<h3><a href=/\($0)>A headline of \($0), which leads on</a></h3>" }
    let page = post + "<div>\(others.joined())</div>"
    #expect(found(page, "") == nil)
    let html = try #require(found(page, teaser + "…"))
    #expect(html.contains("cancelled.") && html.contains("kind") && !html.contains("Home page"))
    #expect(found(page, "The ferry") == nil)
    #expect(found(page, "Another story, which the page has nothing of at all") == nil)
    let card = "<div><h2><a href=/f>Ferry</a></h2><p>\(ArticlePage.sentence)</p></div>"
    let other = "<div><h2><a href=/b>Bridge</a></h2><p>\(rest) \(rest)</p></div>"
    #expect(found("<div>\(card)\(other)</div>", ArticlePage.sentence) == nil)
  }

  @Test(
    "beside links, 250 characters outside of them are an article, fewer are none"
  )
  func length() {
    let word = String(repeating: "abcd ", count: 50)
    let link = "<p><a href=/x>A headline that leads elsewhere</a></p>"
    let links = String(repeating: link, count: 4)
    #expect(html("<body><div><p>\(word)e</p></div>\(links)") != nil)
    #expect(html("<body><div><p>\(word.dropLast(6))</p></div>\(links)") == nil)
    #expect(html("<body><div><p><a href=x>\(word)e</a></p></div>") == nil)
  }

  @Test("an article renders as its feed's text would")
  func rendered() throws {
    let article = try #require(Self.article(ArticlePage.documentation.html))
    let document = StoryDocumentReader.document(article, link: Self.url)
    #expect(document.blocks.contains { if case .table = $0 { true } else { false } })
    #expect(document.blocks.contains { if case .preformatted = $0 { true } else { false } })
  }
}
