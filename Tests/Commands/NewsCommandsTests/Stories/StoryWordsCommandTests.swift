import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("A feed that brings another feed's story first")
struct StoryWordsCommandTests {
  private let good = "https://good.example/feed"
  private let evil = "https://evil.example/feed"
  private let link = "https://good.example/9"

  private func serve(_ url: String, _ items: [(title: String, link: String)], _ news: CommandRun) {
    let items = items.map { item in
      "<item><title>\(item.title)</title><link>\(item.link)</link>"
        + "<guid isPermaLink=\"false\">\(url) \(item.link)</guid></item>"
    }
    let body =
      "<rss version=\"2.0\"><channel><title>\(url)</title>\(items.joined())</channel></rss>"
    news.fetcher.serve(url, .init(body: body))
  }

  /// Returns a home in which the other feed was asked first.
  private func claimed(_ between: (CommandRun) throws -> Void = { _ in }) throws -> CommandRun {
    let news = try CommandRun()
    try news.store([], subscriptions: [(evil, "Evil"), (good, "Good")])
    serve(evil, [("Evil", link)], news)
    serve(good, [], news)
    #expect(news("refresh").output == "Evil (1)\n1  Evil\n")
    try between(news)
    serve(good, [("Nine", link)], news)
    return news
  }

  private func list(_ news: CommandRun, _ options: String...) -> [Substring] {
    news.run(["list"] + options).output.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)[1]
    }
  }

  @Test(
    "its own words come as new, told and unread, whatever was done with the others",
    arguments: [
      ["read", "1"], ["read", "--all"], ["delete", "1"], ["unsubscribe", "--yes", "Evil"],
      ["clear", "--yes", "--feed", "Evil"], ["feeds", "set", "Evil", "--hide"],
      ["rules", "add", "quiet", "--feed", "Evil", "--then", "read"], ["star", "1"],
    ],
  )
  func told(_ words: [String]) throws {
    let news = try claimed { #expect($0.run(words).status == 0) }
    #expect(news("refresh").output.hasSuffix(" (1)\n1  Nine\n"))
    #expect(list(news, "--unread") == ["Nine"] && list(news, "--feed", "Good") == ["Nine"])
    #expect(list(news) == ["Nine"])
    news("read", "1")
    #expect(news("fetch").output.hasPrefix("noData: 0 new"))
    #expect(list(news, "--unread").isEmpty)
  }

  @Test("why says whose words a story has, and who else brought it")
  func why() throws {
    let news = try claimed()
    news("fetch")
    news("list")
    let lines = news("why", "1").output
    #expect(lines.contains("Words    those of Good: the link leads to its site\n"))
    #expect(
      lines.contains("Feeds    Good brought it\n         Evil has it since 2026-11-01 12:00: ")
    )
    serve(Sample.feed, [("Nine", "https://x.example/1")], news)
    serve(Sample.other, [("Nine", "https://x.example/1")], news)
    news("subscribe", "--title", "First", Sample.feed)
    news("subscribe", "--title", "Second", Sample.other)
    news("list", "--feed", "First")
    #expect(news("why", "1").output.contains("Words    those of First: it came first\n"))
  }

  @Test("to undo a deletion puts no marks of the false words on the true ones")
  func undone() throws {
    let news = try claimed { news in
      news("read", "1")
      news("delete", "1")
    }
    news("fetch")
    news("undo")
    #expect(list(news).sorted() == ["Evil", "Nine"] && list(news, "--unread") == ["Nine"])
  }

  @Test("a home of the version before keeps its stories, ids, order and marks through a refresh")
  func former() throws {
    let news = try CommandRun()
    let (first, second) = ("https://one.example/feed", "https://two.example/feed")
    // Two planets share a story without one title, and a planet has brought a site's own.
    var stories = [Sample.story(1, "One", hours: 1, feeds: [first, second])]
    stories.append(Sample.story(2, "Two", hours: 2, feeds: [first, Sample.feed]))
    stories.append(Sample.story(3, "Three", hours: 3, feeds: [Sample.feed]))
    for index in stories.indices { stories[index].isRead = index != 2 }
    stories[1].isStarred = true
    try news.store(
      stories,
      subscriptions: [(first, "First"), (second, "Second"), (Sample.feed, "Own")],
    )
    func serve(_ url: String, _ titles: [(Int, String)], _ guid: String) {
      let items = titles.map { number, title in
        "<item><title>\(title)</title><link>https://example.com/\(number)</link>"
          + "<guid isPermaLink=\"false\">\(guid) \(number)</guid></item>"
      }
      let body = "<rss version=\"2.0\"><channel><title>x</title>\(items.joined())</channel></rss>"
      news.fetcher.serve(url, .init(body: body))
    }
    serve(first, [(1, "One"), (2, "Two")], "guid")
    serve(second, [(1, "Eins")], "second")
    serve(Sample.feed, [(2, "Two"), (3, "Three")], "own")
    for words in [["refresh"], ["refresh", "--force"]] {
      #expect(news.run(words).output.isEmpty)
      let now = try news.stories()
      #expect(now.map(\.id) == stories.map(\.id) && now.map(\.feeds.count) == [2, 2, 1])
      #expect(now.map(\.isRead) == [true, true, false])
      #expect(now.map(\.isStarred) == [false, true, false])
    }
    #expect(try news.stories()[1].feeds == [Sample.feed, first])
  }

  // MARK: Feeds that were found on a page

  private func page(_ announcement: String, of url: String, at page: String) throws -> CommandRun {
    let news = try CommandRun()
    news.fetcher.serve(page, .init(body: "<html><head>\(announcement)</head><body></body></html>"))
    serve(url, [("Nine", link)], news)
    return news
  }

  private func site(_ news: CommandRun) throws -> String? {
    try news.store.read().subscriptions.last?.state.site
  }

  @Test("a feed that the page announces to which one subscribed is of that page's site")
  func found() throws {
    let feed = "https://burner.example/good"
    let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(feed)\">"
    let news = try page(link, of: feed, at: "https://www.good.example/blog")
    news("subscribe", "https://www.good.example/blog")
    #expect(try site(news) == "good.example")
    // It stays where the feed is asked, and goes where it moves to another host.
    news("fetch")
    #expect(try site(news) == "good.example")
    #expect(!news("export").output.contains("good.example"))
    news("unsubscribe", "--yes", feed)
    news("undo")
    #expect(try site(news) == "good.example")
    serve("https://new.example/good", [("Nine", self.link)], news)
    news("move", feed, "https://new.example/good")
    #expect(try site(news) == nil)
  }

  @Test("one that was followed before is of the site from then on")
  func foundLater() throws {
    let feed = "https://burner.example/good"
    let link = "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(feed)\">"
    let news = try page(link, of: feed, at: "https://good.example/")
    news("subscribe", feed)
    #expect(try site(news) == nil)
    news("subscribe", "https://good.example/")
    #expect(try site(news) == "good.example" && news.store.read().subscriptions.count == 1)
  }

  @Test("a link in a page's text, and what a list or the feed says, make a feed of no site")
  func notFound() throws {
    let feed = "https://burner.example/good.rss"
    let news = try page("", of: feed, at: "https://good.example/")
    news.fetcher.serve(
      "https://good.example/",
      .init(body: "<html><body><a href=\"\(feed)\">RSS</a></body></html>"),
    )
    news("subscribe", "https://good.example/")
    #expect(try news.store.read().subscriptions.map(\.url) == [feed])
    #expect(try site(news) == nil)
    let list =
      "<opml version=\"2.0\"><body><outline type=\"rss\" xmlUrl=\"\(Sample.feed)\" "
      + "htmlUrl=\"https://good.example/\"/></body></opml>"
    try news.folder.write(list, to: "list.opml")
    news("import", news.folder.path("list.opml"))
    #expect(try site(news) == nil)
  }
}
