import FeedModel
import FeedStorage
import Testing

@testable import ReadingCommands

@Suite("F and z in the table view")
struct BrowserPageTests {
  private let news: CommandRun
  private static let link = "https://example.com/story"

  init() throws {
    news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "F")])
    let item = "<item><title>Tides</title><link>\(Self.link)</link></item>"
    let body = "<rss version=\"2.0\"><channel><title>T</title>\(item)</channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: body))
    news("refresh")
    news("list")
    #expect(news("star", "1").status == 0)
  }

  private func story() throws -> StoredItem { try news.store.read().items.item(at: 0) }

  @Test(
    "take back what F did and nothing else, even where that was nothing",
    arguments: ["<article><p>%</p></article>", "<p>Log in</p>"],
  )
  func undo(_ page: String) throws {
    let text = String(repeating: "The article has many words. ", count: 20)
    news.fetcher.serve(Self.link, .init(body: page.replacing("%", with: text)))
    let work = BrowserWork(try news.context, news.store)
    work.fetchPage(try story())
    work.run(["undo", "--ask"], columns: 80)
    work.end()
    #expect(try story().isStarred)
    #expect(try story().article == StoredArticle())
    #expect(news.fetcher.requests.count == 2)
    let said = page.contains("%") ? "1 story has the former text back" : "the text is as it was"
    #expect(work.takeResults().flatMap(\.lines) == [said])
  }

  @Test("F goes back and forth between both texts, of which the page's is fetched once")
  func backAndForth() throws {
    let text = String(repeating: "The article has many words. ", count: 20)
    news.fetcher.serve(Self.link, .init(body: "<article><p>\(text)</p></article>"))
    let seen = try story()
    for isShown in [true, false, true] {
      let work = BrowserWork(try news.context, news.store)
      work.fetchPage(seen)
      work.end()
      #expect(try story().article.isShown == isShown)
    }
    #expect(news.fetcher.requests.count == 2)
  }
}
