import FeedModel
import FeedStorage
import System
import Testing

@Suite("news export leaves passwords at home")
struct ExportPasswordTests {
  private static let urls = ["https://me:secret@a.example/x", "https://:secret@b.example/y"]
  private static let bare = ["https://a.example/x", "https://b.example/y"]

  private func home() throws -> CommandRun {
    let news = try CommandRun()
    var shared = Sample.story(0, "Shared", hours: 1, feeds: Self.urls)
    let date = Date(timeIntervalSince1970: news.now)
    shared.matches = [StoryMatch(feed: Self.urls[1], rule: .link, date: date)]
    try news.store([shared], subscriptions: [])
    try news.store.update(waitAtMost: .seconds(5)) { _ in
      let feeds = (Self.urls + [Sample.feed]).map { Subscription(url: $0) }
      return (LibraryChange(subscriptions: feeds), ())
    }
    return news
  }

  @Test("in OPML and in JSON, and says how to have them", arguments: [[], ["--json"]])
  func leftOut(_ form: [String]) throws {
    let news = try home()
    let result = news.run(["export"] + form)
    #expect(!result.output.contains("secret"))
    for url in Self.bare { #expect(result.output.contains("\"\(url)\"")) }
    #expect(
      result.errors == "news: 2 feeds have passwords in the URL, left out with the user; "
        + "--with-passwords exports them\n"
    )
    let whole = news.run(["export", "--with-passwords"] + form)
    for url in Self.urls { #expect(whole.output.contains("\"\(url)\"")) }
    #expect(
      whole.errors == "news: 2 feeds have passwords in the URL, and this file has them too\n"
    )
  }

  @Test("and keeps a user without a password; of two users with one it finds neither")
  func users() throws {
    let news = try CommandRun()
    let urls = [
      "https://ann:1@a.example/x", "https://bob:2@a.example/x", "https://eve@a.example/x",
    ]
    try news.store([], subscriptions: urls.map { ($0, "Feed of \($0.prefix(11))") })
    #expect(news("export").output.contains("\"https://eve@a.example/x\""))
    news.input = [news("export").output]
    news("import", "-")
    #expect(try news.store.read().subscriptions.map(\.url) == urls + ["https://a.example/x"])
  }

  @Test("and imports what it has exported as what is there, with the passwords that it has")
  func back() throws {
    let news = try home()
    for form in [[], ["--json"]] {
      news.input = [news.run(["export"] + form).output]
      let said = news("import", "-").errors
      #expect(said.contains("3 were there already") || said.contains("1 was there already"))
      #expect(try news.store.read().subscriptions.map(\.url) == Self.urls + [Sample.feed])
      #expect(try news.store.read().items.item(at: 0).feeds == Self.urls)
    }
  }

  @Test("out of what an imported list had besides its feeds, too")
  func elements() throws {
    let news = try CommandRun()
    news.input = [
      "<opml version=\"2.0\"><body><outline text=\"a\" xmlUrl=\"https://me:secret@a.example/x\""
        + " htmlUrl=\"https://me:secret@a.example/\" note=\"3:30 at x@y\"/></body></opml>"
    ]
    news("import", "-")
    let exported = news("export").output
    #expect(!exported.contains("secret") && exported.contains("note=\"3:30 at x@y\""))
    #expect(exported.contains("htmlUrl=\"https://a.example/\""))
  }

  @Test("never into a table")
  func table() throws {
    #expect(try !home()("list", "--csv").output.contains("secret"))
  }
}
