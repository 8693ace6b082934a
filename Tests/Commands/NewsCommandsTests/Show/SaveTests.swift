import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("news save")
struct SaveTests {
  private static let page = "https://example.org/page"
  private static let feed = "https://example.com/feed"
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    let sentence = "It was a long day, and nobody, not even they, knew how it would end. "
    let text = String(repeating: "<p>\(String(repeating: sentence, count: 4))</p>", count: 3)
    let head = """
      <title>A page - Our site</title><meta property="og:title" content="A page">
      <meta property="og:site_name" content="Our site">
      """
    serve(Self.page, "<html><head>\(head)</head><body><article>\(text)</article></body></html>")
  }

  private func serve(_ url: String, _ body: String) {
    news.fetcher.serve(url, .init(body: body))
  }

  @Test("a page's article, title and site are a story of the feed Saved, once")
  func article() throws {
    let said = news("save", Self.page)
    #expect(said.status == 0 && said.errors == "saved A page\n", "\(said.errors)")
    let stories = try news.stories()
    #expect(stories.map(\.item.title) == ["A page"] && stories.map(\.item.link) == [Self.page])
    #expect(stories[0].item.author == "Our site" && stories[0].feeds == ["saved:"])
    #expect(stories[0].item.summary?.hasPrefix("It was a long day") == true)
    #expect(try news.store.text(of: stories[0])?.string.contains("nobody, not even") == true)
    let asked = news.fetcher.requests.count
    #expect(news("save", "\(Self.page)#part").errors == "already saved: A page\n")
    #expect(news.fetcher.requests.count == asked)
    #expect(try news.stories() == stories)
    #expect(news("list", "--feed", "saved").output.contains("A page"))
  }

  @Test("a page without an article is kept with its title and summary, and it is said")
  func noArticle() throws {
    let head = "<title>Front</title><meta name=\"description\" content=\"What it is.\">"
    serve("https://example.org/", "<html><head>\(head)</head><body>x</body></html>")
    let said = news("save", "https://example.org/").errors
    #expect(said == "saved Front without a text: the page has no article\n")
    #expect(try news.stories().map(\.item.summary) == ["What it is."])
    #expect(news("save", "https://example.org/none").status == 1)
    #expect(try news.stories().count == 1)
  }

  @Test(
    "a story that comes back is one with its page, if that was saved meanwhile",
    arguments: [
      ["clear --yes", "undo 2"],
      ["unsubscribe https://example.com/feed", "undo 2"],
    ],
  )
  func savedMeanwhile(_ words: [String]) throws {
    serve(
      Self.feed,
      """
      <rss version="2.0"><channel><title>Feed</title>
      <item><title>A</title><link>\(Self.page)</link><guid isPermaLink="false">1</guid></item>
      <item><title>B</title><link>\(Self.page)2</link><guid isPermaLink="false">2</guid></item>
      </channel></rss>
      """,
    )
    for words in ["subscribe --no-check \(Self.feed)", "refresh", words[0], "save \(Self.page)"] {
      #expect(news.run(words.split(separator: " ").map(String.init)).status == 0, "\(words)")
    }
    #expect(try news.stories().count == 1)
    let said = news.run(words[1].split(separator: " ").map(String.init))
    #expect(said.status == 0, "\(said.errors)")
    let stories = try news.stories()
    #expect(Set(stories.map(\.item.link)) == [Self.page, Self.page + "2"] && stories.count == 2)
    let page = try #require(stories.first { $0.item.link == Self.page })
    #expect(Set(page.feeds) == [Self.feed, "saved:"])
    #expect(try news.store.text(of: page)?.string.contains("nobody, not even") == true)
  }

  @Test("nobody asks for the feed, and no list of feeds has it")
  func unasked() throws {
    news("save", Self.page)
    let asked = news.fetcher.requests.count
    #expect(news("refresh").status == 0 && news("fetch", "--due").status == 0)
    #expect(news("refresh", "saved", "--force").status == 0)
    #expect(news.fetcher.requests.count == asked)
    #expect(news("feeds").output.contains("saved:\tSaved\t\t1\t1"))
    #expect(news("why", "saved").output.contains("Not asked: its stories are pages"))
    #expect(!news("doctor").output.contains("never asked"))
    #expect(!news("export").output.contains("saved:"))
    #expect(
      SharedSettings(try news.store.read().subscriptions, []).values[.feed("saved:", .followed)]
        == nil
    )
  }

  @Test("a story of another feed is left to it, and a saved one stays when feeds drop it")
  func others() throws {
    serve(Sample.feed, feed("Example", [Self.page]))
    news("subscribe", Sample.feed)
    #expect(news("save", Self.page).errors.contains("is a story of Example; `news star` keeps it"))
    news("delete", "--all", "--yes")
    news("unsubscribe", "Example")
    #expect(news("save", Self.page).errors == "saved A page\n")
    news("subscribe", Sample.feed)
    #expect(try news.stories().map(\.feeds.count) == [2])
    news("feeds", "set", "Example", "--keep", "1")
    serve(Sample.feed, feed("Example", (1...3).map { "https://example.com/\($0)" }))
    news("refresh")
    serve(Sample.feed, feed("Example", ["https://example.com/9"]))
    news("refresh")
    #expect(
      try news.stories().contains { $0.feeds.contains("saved:") && $0.item.link == Self.page }
    )
  }

  @Test("it stays until it is deleted: whatever is cleared, dropped by rules or unsubscribed from")
  func kept() throws {
    serve(Sample.feed, feed("Example", ["https://example.com/1"]))
    news("subscribe", Sample.feed)
    news("save", Self.page)
    news("read", "--all")
    news("rules", "add", "none", "--grep", "/./", "--then", "drop")
    let all = try news.stories()
    for words in [["clear"], ["rules", "apply", "none"]] {
      let said = news.run(words + ["--yes"]).errors
      #expect(said.contains("1 saved page kept"), "\(said)")
      #expect(try news.stories().map(\.feeds) == [["saved:"]])
      #expect(news("undo").status == 0)
      #expect(try news.stories() == all)
    }
    #expect(
      news("clear", "--feed", "saved").errors
        == "0 stories cleared, 1 saved page kept; `news delete` deletes it\n"
    )
    let refused = "news: saved pages stay until you delete them: news delete --all --feed saved:\n"
    #expect(news("unsubscribe", "saved").errors == refused)
    #expect(news("move", "saved", Sample.other).errors.contains("have no other place"))
    #expect(try news.stories() == all)
    #expect(
      news("delete", "--all", "--feed", "saved", "--yes").errors.hasPrefix("1 story deleted")
    )
    #expect(news("unsubscribe", "saved").status == 0)
  }

  @Test("clear of everything takes starred stories and has feeds bring theirs again")
  func clearedBesides() throws {
    serve(Sample.feed, feed("Example", ["https://example.com/1"]))
    news("subscribe", Sample.feed)
    news("save", Self.page)
    news("star", "--all")
    let said = "1 story cleared, 1 saved page kept; `news undo` brings them back, "
    #expect(news("clear", "--yes").errors.hasPrefix(said))
    #expect(try news.stories().map(\.feeds) == [["saved:"]])
    #expect(try news.store.read().subscriptions.allSatisfy { $0.state.bodyDigest == nil })
    #expect(news("fetch").output.hasPrefix("newData: 1 new"))
  }

  @Test("a clear of everything leaves it also where the file of feeds is lost")
  func withoutFeeds() throws {
    news("save", Self.page)
    unlink(news.folder.path("home/feeds.plist"))
    #expect(news("clear", "--yes").errors.contains("1 saved page kept"))
    #expect(try news.stories().map(\.feeds) == [["saved:"]])
  }

  private func feed(_ title: String, _ links: [String]) -> String {
    let items = links.map { "<item><title>\($0)</title><link>\($0)</link></item>" }
    return "<rss version=\"2.0\"><channel><title>\(title)</title>\(items.joined())</channel></rss>"
  }

  @Test("what is exported can be imported, saved pages too")
  func exported() throws {
    news("save", Self.page)
    let file = try news.folder.write(news("export", "--json").output, to: "stories.json")
    news("delete", "--all", "--yes")
    #expect(news("unsubscribe", "saved").status == 0)
    #expect(news("import", file).status == 0)
    #expect(try news.stories().map(\.feeds) == [["saved:"]])
    #expect(try news.store.read().subscriptions.map(\.url) == ["saved:"])
  }
}
