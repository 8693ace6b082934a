import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("news refresh --older: a feed's stories from before its document")
struct OlderStoriesTests {
  private static let feed = "https://blog.example/feed"
  private let news: CommandRun

  init() throws { news = try CommandRun() }

  private func page(_ numbers: Range<Int>, _ next: String?, isDated: Bool = true) -> String {
    let link = next.map { "<atom:link rel=\"next\" href=\"\($0)\"/>" } ?? ""
    let items = numbers.map { number in
      let date = "\(number % 28 + 1) May \(2025 - number / 28) 10:00:00 GMT"
      return "<item><title>s\(number)</title><guid isPermaLink=\"false\">g\(number)</guid>"
        + (isDated ? "<pubDate>\(date)</pubDate></item>" : "</item>")
    }
    return "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>"
      + "<title>Blog</title>\(link)\(items.joined())</channel></rss>"
  }

  private func serve(_ numbers: Range<Int>, at path: String = "", next: String?) {
    news.fetcher.serve(Self.feed + path, .init(body: page(numbers, next)))
  }

  /// Serves a feed of pages of three stories, and subscribes to it.
  private func follow(pages: Int) {
    for number in 0..<pages {
      let path = number == 0 ? "" : "?paged=\(number + 1)"
      let next = number + 1 < pages ? "?paged=\(number + 2)" : nil
      serve(number * 3..<number * 3 + 3, at: path, next: next)
    }
    #expect(news("subscribe", Self.feed).status == 0)
  }

  private func older() -> String { news("refresh", "--older", "Blog").errors }

  private func count() throws -> Int { try news.store.read().items.count }

  @Test("ten pages a call, and the next call goes on; then it says that that is all")
  func pages() throws {
    follow(pages: 14)
    let said = older()
    #expect(said.hasPrefix("Blog: 30 stories of earlier days; stories back to "), "\(said)")
    #expect(said.contains("for more: news refresh --older Blog"))
    #expect(try count() == 33)
    let asked = news.fetcher.requests.count
    #expect(older().contains("9 stories of earlier days; stories back to "))
    #expect(news.fetcher.requests.count == asked + 3)
    #expect(try count() == 42)
    #expect(older().contains("0 stories of earlier days; stories back to 1 May 2024; that is all"))
    #expect(news.fetcher.requests.count == asked + 3)
  }

  @Test("nothing of it is new or unread, and no rule tells of it")
  func quiet() throws {
    follow(pages: 3)
    news("rules", "add", "tell", "--feed", "Blog", "--then", "notify")
    news("list")
    #expect(older().contains("6 stories of earlier days"))
    let stories = try news.stories()
    #expect(stories.filter { !$0.isRead }.map(\.item.title) == ["s2", "s1", "s0"])
    #expect(news("list", "--grep", "is:new").output.isEmpty)
    #expect(news("fetch", "--json").output.contains("\"new\":0,\"stored\":0"))
  }

  @Test("another machine, where they are unread, is not told that they are read")
  func elsewhere() throws {
    let homes = try SyncedHomes(2)
    let (first, second) = (homes.homes[0].fetcher, homes.homes[1].fetcher)
    first.serve(Self.feed, .init(body: page(0..<3, "?paged=2")))
    first.serve(Self.feed + "?paged=2", .init(body: page(3..<6, nil)))
    second.serve(Self.feed, .init(body: page(0..<6, nil)))
    for number in 0..<2 { homes.run(number, "subscribe", Self.feed) }
    homes.settle()
    homes.run(0, "refresh", "--older", "Blog")
    homes.settle()
    #expect(try homes.marks(0)["s5"]?[.read] == true)
    #expect(try homes.marks(1)["s5"]?[.read] == false)
  }

  @Test("what rules drop of them pushes out none of the user's own deletions")
  func dropped() throws {
    follow(pages: 2)
    news("rules", "add", "no", "--feed", "Blog", "--grep", "s4", "--then", "drop")
    #expect(older().contains("2 stories of earlier days"))
    #expect(try news.store.read().subscriptions[0].state.cleared.isEmpty)
  }

  @Test("retention leaves them, as long as nobody says how many to keep")
  func kept() throws {
    serve(0..<150, next: "?paged=2")
    serve(150..<400, at: "?paged=2", next: nil)
    news("subscribe", Self.feed)
    #expect(older().contains("250 stories of earlier days"))
    serve(500..<501, next: nil)
    news("refresh")
    #expect(try count() == 401)
    news("refresh", "--force", "--keep", "100")
    #expect(try count() == 101)
  }

  @Test("a story that has come on the feed's own page meanwhile stays news")
  func fresh() throws {
    follow(pages: 2)
    serve(0..<4, next: "?paged=2")
    #expect(older().contains("2 stories of earlier days"))
    #expect(news("refresh", "Blog").output.contains("s3"))
  }

  @Test("how far it goes back is told of the feed, and a cleared feed begins anew")
  func told() throws {
    follow(pages: 2)
    #expect(news("feeds", "--json").output.contains("\"oldest\":null"))
    _ = older()
    #expect(news("feeds", "--json").output.contains("\"olderEnd\":\"that is all there is\""))
    #expect(news("why", "Blog").output.contains("that is all there is"))
    news("clear", "--feed", "Blog", "--yes")
    news("refresh")
    #expect(try count() == 3)
    #expect(older().contains("3 stories of earlier days"))
  }

  @Test("how far it goes back outlives a clearing that is undone after a fetch")
  func undone() throws {
    follow(pages: 2)
    _ = older()
    news("clear", "--feed", "Blog", "--yes")
    news("refresh")
    #expect(news("undo").status == 0)
    #expect(try news.store.read().subscriptions[0].state.older?.end == OlderPages.wholeWords)
  }

  @Test("a feed that names no page of older ones keeps no more than others")
  func none() throws {
    serve(0..<3, next: nil)
    news("subscribe", Self.feed)
    for _ in 0..<2 { #expect(older().contains("it names no page of older ones")) }
    #expect(try news.store.read().subscriptions[0].state.older == nil)
  }

  @Test("a circle of pages without dates that is longer than a call ends, too")
  func longCircle() throws {
    for number in 1...13 {
      let (path, next) = (number == 1 ? "" : "?paged=\(number)", number == 13 ? 2 : number + 1)
      let body = page(number..<number + 1, "?paged=\(next)", isDated: false)
      news.fetcher.serve(Self.feed + path, .init(body: body))
    }
    news("subscribe", Self.feed)
    #expect(older().contains("10 stories of earlier days"))
    #expect(older().contains("2 stories of earlier days"))
    #expect(older().contains("the same stories again"))
  }

  static let endings: [(String, String, String)] = [
    ("https://blog.example/feed", "", "lead in a circle"),
    ("http://blog.example/2", "", "without TLS"),
    ("https://blog.example/2", "<!DOCTYPE html><html></html>", "is no page of a feed"),
    ("https://blog.example/gone", "404", "there is nothing at"),
  ]

  @Test("circles, pages without TLS, web pages and missing ones end it", arguments: endings)
  func ends(_ next: String, _ body: String, _ words: String) throws {
    serve(0..<3, next: next)
    if body == "404" {
      news.fetcher.serve(next, .init(error: .status(404)))
    } else if !body.isEmpty {
      news.fetcher.serve(next, .init(body: body))
    }
    news("subscribe", Self.feed)
    #expect(older().contains(words))
    let asked = news.fetcher.requests.count
    #expect(older().contains(words))
    #expect(news.fetcher.requests.count == asked)
    serve(0..<3, next: "?paged=2")
    serve(3..<6, at: "?paged=2", next: nil)
    #expect(news("refresh", "--older", "--force", "Blog").errors.contains("3 stories of"))
  }

  @Test("pages that have the same stories again end it")
  func repeats() throws {
    serve(0..<3, next: "?paged=2")
    for number in 2..<9 { serve(0..<3, at: "?paged=\(number)", next: "?paged=\(number + 1)") }
    news("subscribe", Self.feed)
    #expect(older().contains("the same stories again"))
    #expect(news.fetcher.requests.count == 4)
  }

  @Test("a server's failure ends the call alone")
  func failure() throws {
    follow(pages: 3)
    news.fetcher.serve(Self.feed + "?paged=2", .init(error: .status(503)))
    let result = news("refresh", "--older", "Blog")
    #expect(result.status == 1 && result.errors.contains("503"))
    serve(3..<6, at: "?paged=2", next: "?paged=3")
    #expect(older().contains("6 stories of earlier days"))
  }

  @Test("an archive comes before a page, and JSON Feed has next_url")
  func formats() throws {
    let archive = "<link rel=\"next\" href=\"/b\"/><link rel=\"prev-archive\" href=\"/a\"/>"
    let atom =
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://blog.example/x/\">"
      + "<title>Blog</title>\(archive)<entry><id>e</id><title>e</title></entry></feed>"
    news.fetcher.serve(Self.feed, .init(body: atom))
    news.fetcher.serve("https://blog.example/a", .init(body: page(5..<8, nil)))
    news("subscribe", Self.feed)
    #expect(older().contains("3 stories of earlier days"))
    let json = "https://json.example/feed.json"
    func document(_ id: String, _ next: String) -> String {
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"J\",\(next)"
        + "\"items\":[{\"id\":\"\(id)\",\"title\":\"\(id)\",\"content_text\":\"x\"}]}"
    }
    news.fetcher.serve(json, .init(body: document("1", "\"next_url\":\"feed2.json\",")))
    news.fetcher.serve("https://json.example/feed2.json", .init(body: document("2", "")))
    news("subscribe", json)
    #expect(news("refresh", "--older", "J").errors.contains("1 story of earlier days"))
  }

  @Test("another host gets no password and may be in no private network")
  func otherHosts() throws {
    let own = "https://me:secret@blog.example/feed"
    for (next, gives) in [("https://blog.example/2", true), ("https://cdn.example/2", false)] {
      let news = try CommandRun()
      news.fetcher.serve(own, .init(body: page(0..<3, next)))
      news.fetcher.serve(next, .init(body: page(3..<6, nil)))
      news.fetcher.serve(
        "https://me:secret@blog.example/2",
        .init(body: page(3..<6, nil)),
      )
      news("subscribe", own)
      news("refresh", "--older", "Blog")
      let request = try #require(news.fetcher.requests.last)
      #expect(request.url.contains("secret") == gives)
      #expect(request.trust.givesPasswords == gives)
      #expect(try news.store.read().items.count == 6)
    }
  }

  @Test("it is for feeds on the web that keep their stories")
  func refused() throws {
    follow(pages: 2)
    #expect(news("refresh", "--older").status == 64)
    news("feeds", "set", "Blog", "--keep", "50")
    #expect(older().contains("news feeds set Blog --keep 0"))
  }
}
