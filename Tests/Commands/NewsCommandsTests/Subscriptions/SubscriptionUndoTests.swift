import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@Suite("news undo takes back changes of the subscriptions")
struct SubscriptionUndoTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["a", "b"])))
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Other", ["c"])))
    news("subscribe", "-q", Sample.feed, Sample.other, "--tag", "old")
    news("star", "-q", "2")
    news("read", "-q", "1")
  }

  private func seen() throws -> [String] {
    let library = try news.store.read()
    let feeds = library.subscriptions.map {
      "\($0.url) \($0.title ?? "-") \($0.tags) \($0.passwordCommand ?? "-")"
    }
    return feeds
      + (try news.stories()).map {
        "\($0.item.title) \($0.feeds) \($0.isRead) \($0.isStarred)"
      }
  }

  @Test(
    "whole: feeds in their places, titles, tags, stories and marks",
    arguments: [
      (["unsubscribe", "Example"], "following Example again, 1 story is back"),
      (["unsubscribe", "--yes", "tag:old"], "following 2 feeds again, 2 stories are back"),
      (["subscribe", "--no-check", "https://new.example/"], "no longer following new.example/"),
      (["subscribe", Sample.feed, "--title", "Mine"], "Example is as it was"),
      (["subscribe", Sample.feed, "--tag", "more"], "Example is as it was"),
      (
        ["subscribe", Sample.feed, "--password-command", "echo x"], "Example is as it was",
      ),
      (
        ["subscribe", "--no-check", "-q", "https://a.example/", Sample.other, "--tag", "new"],
        "no longer following a.example/, Other is as it was",
      ),
      (["move", "Example", "https://moved.example/", "--no-check"], "Example is as it was"),
      (["move", "Example", Sample.other, "--no-check", "--merge"], "following Example again"),
    ],
  )
  func whole(_ words: [String], _ message: String) throws {
    let before = try seen()
    #expect(news.run(words).status == 0)
    let after = try seen()
    #expect(after != before)
    let result = news("undo")
    #expect(result.errors.replacing("https://", with: "") == message + "\n")
    #expect(result.status == 0)
    #expect(try seen() == before)
    #expect(news("redo").status == 0)
    #expect(try seen() == after)
    #expect(news("undo").status == 0)
    #expect(try seen() == before)
  }

  @Test(
    "redo says what it does, and not what was before",
    arguments: [
      (["feeds", "set", "Example", "--tag", "picked"], "Example: tagged picked"),
      (["feeds", "set", "Example", "--title", "Mine"], "Example: now called Mine"),
      (
        ["feeds", "set", "--all", "--tag", "a", "--untag", "old"],
        "2 feeds: tagged a, no longer tagged old",
      ),
      (["subscribe", Sample.other, "--tag", "more"], "Other: tagged more"),
      (["unsubscribe", "Example"], "no longer following Example"),
      (["note", "1", "words"], "1 story has the later note back"),
    ],
  )
  func redone(_ words: [String], _ message: String) throws {
    #expect(news.run(words).status == 0)
    #expect(news("undo").status == 0)
    #expect(news("redo").errors.contains(message))
  }

  @Test("an import, with what its list had besides")
  func imported() throws {
    let before = try seen()
    let exported = news("export").output
    let list = """
      <opml version="2.0"><body><outline text="Folder" note="kept">
      <outline text="New" xmlUrl="https://new.example/feed"/>
      <outline text="Example" xmlUrl="\(Sample.feed)"/></outline></body></opml>
      """
    let path = try news.folder.write(list, to: "list.opml")
    #expect(news("import", path).status == 0)
    #expect(news("export").output.contains("kept"))
    #expect(news("undo").errors == "no longer following New, Example is as it was\n")
    #expect(try seen() == before)
    #expect(news("export").output == exported)
  }

  @Test("and keeps what a fetch has brought since")
  func fetchedSince() throws {
    news("subscribe", Sample.feed, "--title", "Mine")
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["new", "a", "b"])))
    news("fetch")
    #expect(news("undo").errors == "Example is as it was\n")
    #expect(try news.stories().map(\.item.title).contains("new"))
    #expect(try news.store.read().subscriptions[0].title == nil)
  }

  @Test("one by its number: what was marked before and since stays marked")
  func byNumber() throws {
    news("unread", "-q", "1")
    news("subscribe", "--no-check", "-q", "https://new.example/")
    #expect(news("feeds", "set", "https://new.example/", "--title", "New").status == 0)
    news("star", "-q", "1")
    let list = news("undo", "--list").output.split(separator: "\n").map {
      $0.split(separator: "\t")[0]
    }
    #expect(news("undo", "\(list[2])").errors.contains("`news feeds set"))
    #expect(news("undo", "\(list[1])").status == 0)
    #expect(news("undo", "\(list[2])").errors == "no longer following https://new.example/\n")
    #expect(try news.stories().allSatisfy { !$0.isRead })
    #expect(try news.stories().contains(where: \.isStarred))
  }

  @Test("a feed that a redirect has moved since is known again")
  func redirectedSince() throws {
    news("subscribe", Sample.feed, "--title", "Mine")
    try news.store.update { (library) in
      var subscriptions = library.subscriptions
      subscriptions[0].state.formerURLs = [Sample.feed]
      subscriptions[0].move(to: "https://moved.example/feed")
      return (LibraryChange(subscriptions: subscriptions), ())
    }
    #expect(news("undo").errors == "Example is as it was\n")
    let feed = try #require(try news.store.read().subscriptions.first)
    #expect(feed.url == "https://moved.example/feed" && feed.title == nil && feed.tags == ["old"])
  }

  @Test("a record of a newer version is refused, and says so")
  func newerVersion() throws {
    let record = PropertyListValue.dictionary(["version": .integer(8), "steps": .array([])])
    try news.folder.write(PropertyList.encode(record), to: "home/history.plist")
    let result = news("undo")
    #expect(result.status == 1 && result.errors.contains("version 8"))
  }
}
