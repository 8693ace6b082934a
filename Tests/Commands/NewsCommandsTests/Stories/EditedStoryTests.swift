import FeedModel
import Testing

@Suite("A story that its feed edits is one, and another story under its guid is another")
struct EditedStoryTests {
  private struct Story {
    var title: String
    var link: String
    var guid: String
    var minute: Int
  }

  /// Returns an edit of a story in the manner of the BBC: each has another number in the guid.
  private func edit(_ number: Int) -> Story {
    let title = ["Storm nears coast", "Storm hits coast", "Storm: what we know"][number]
    return Story(title: title, link: "storm", guid: "storm#\(number)", minute: 30 + number)
  }

  private let others = (0..<3).map {
    Story(title: "Other \($0)", link: "other\($0)", guid: "other\($0)#0", minute: $0)
  }

  private func serve(_ stories: [Story], _ homes: CommandRun...) {
    let items = stories.map { story in
      let site = "https://news.example/"
      let date = "Sun, 01 Nov 2026 10:\(story.minute < 10 ? "0" : "")\(story.minute):00 GMT"
      return "<item><title>\(story.title)</title><link>\(site)\(story.link)?at_medium=RSS</link>"
        + "<guid isPermaLink=\"false\">\(site)\(story.guid)</guid><pubDate>\(date)</pubDate></item>"
    }
    let body = "<rss version=\"2.0\"><channel><title>News</title>\(items.joined())</channel></rss>"
    for home in homes { home.fetcher.serve(Sample.feed, .init(body: body)) }
  }

  private func following(_ stories: [Story]) throws -> CommandRun {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "News")])
    serve(stories, news)
    news("refresh")
    return news
  }

  private func titles(_ news: CommandRun) throws -> [String] {
    try news.stories().map(\.item.title)
  }

  @Test("it stays read, starred and tagged under each new guid, title and date")
  func edited() throws {
    let news = try following([edit(0)] + others)
    news("star", "1")
    news("tag", "later", "1")
    news("read", "--all")
    for number in 1...2 {
      serve([edit(number)] + others, news)
      #expect(news("fetch").output.contains(": 0 new"))
    }
    #expect(try titles(news) == [edit(2).title] + others.reversed().map(\.title))
    let story = try #require(try news.stories().first)
    #expect(story.isRead && story.isStarred && story.tags == ["later"])
    #expect(news("list", "--unread").output.isEmpty)
    news("list")
    #expect(news("why", "1").output.contains("link"))
  }

  @Test("it stays away when it was cleared, and undo brings it back as one")
  func cleared() throws {
    let news = try following([edit(0)] + others)
    news("read", "1")
    #expect(news("delete", "--all", "--grep", "is:read", "--yes").status == 0)
    serve([edit(1)] + others, news)
    news("fetch")
    #expect(try titles(news).count == 3)
    #expect(news("undo").status == 0)
    serve([edit(2)] + others, news)
    news("fetch")
    #expect(try titles(news) == [edit(2).title] + others.reversed().map(\.title))
    #expect(try news.stories().first?.isRead == true)
  }

  @Test("machines that have met it under different guids sync its marks")
  func synced() throws {
    let all = try SyncedHomes(2)
    let (first, second) = (all.homes[0], all.homes[1])
    for (home, number) in [(first, 0), (second, 1)] {
      try home.store([], subscriptions: [(Sample.feed, "News")])
      serve([edit(number)] + others, home)
      home("refresh")
    }
    serve([edit(1)] + others, first)
    first("refresh")
    all.settle()
    first("read", "1")
    all.settle()
    #expect(try second.stories().first?.isRead == true)
    second("star", "1")
    all.settle()
    #expect(try first.stories().first?.isStarred == true)
    #expect(try titles(first) == titles(second) && titles(first).count == 4)
  }

  @Test(
    "one guid for whatever is newest brings each story, also when one was cleared"
  )
  func reused() throws {
    func latest(_ number: Int) -> Story {
      Story(title: "Nr. \(number)", link: "\(number)", guid: "latest", minute: number)
    }
    let news = try following([latest(1)])
    news("read", "--all")
    serve([latest(2)], news)
    news("refresh")
    #expect(try titles(news) == ["Nr. 2", "Nr. 1"])
    #expect(try news.stories().map(\.isRead) == [false, true])
    news("read", "--all")
    #expect(news("delete", "--all", "--grep", "is:read", "--yes").status == 0)
    serve([latest(3)], news)
    news("refresh")
    #expect(try titles(news) == ["Nr. 3"])
    #expect(news("undo").status == 0)
    #expect(try titles(news) == ["Nr. 3", "Nr. 2", "Nr. 1"])
    news("refresh")
    #expect(try titles(news) == ["Nr. 3", "Nr. 2", "Nr. 1"])
    #expect(Set(try news.stories().map(\.id)).count == 3)
  }
}
