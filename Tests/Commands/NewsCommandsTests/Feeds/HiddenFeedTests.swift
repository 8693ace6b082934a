import FeedStorage
import System
import TestSupport
import Testing

@testable import ReadingCommands

@Suite("Feeds that are hidden")
struct HiddenFeedTests {
  private let news: CommandRun

  /// Stores `a` and `b` of one feed, `b` and `c` of another, which is hidden.
  init() throws {
    news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("One", ["a", "b"])))
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Two", ["b", "c"])))
    news("subscribe", "--no-check", Sample.feed, Sample.other, "--tag", "both")
    #expect(news("refresh").status == 0)
    #expect(news("feeds", "set", "two", "--hide").errors == "Two: hidden from lists\n")
  }

  private func titles(_ words: String...) -> [String] {
    news.run(["list", "--format", "{title}"] + words).output.split(separator: "\n").map(String.init)
      .sorted()
  }

  @Test("no list has a story of hidden feeds alone, but where the feed or its tag is asked for")
  func lists() {
    #expect(titles() == ["a", "b"])
    #expect(titles("--unread", "--grep", "c") == [])
    #expect(titles("--feed", "two") == ["b", "c"])
    #expect(titles("--grep", "feed:two c") == ["c"])
    #expect(titles("--feed", "tag:both") == ["a", "b", "c"])
    news("rules", "add", "letter", "--grep", "/^[abc]$/")
    news("rules", "add", "of-two", "--grep", "feed:two")
    #expect(titles("--feed", "search:letter") == ["a", "b"])
    #expect(titles("--feed", "search:of-two") == ["b", "c"])
    #expect(news("rules", "add", "keep", "--grep", "c", "--then", "star").status == 0)
    #expect(news("rules", "apply", "keep").errors == "1 story starred\n")
    #expect(news("feeds", "two", "--json").output.contains("\"hide\":true"))
    #expect(news("export", "--json").output.contains("\"title\":\"c\""))
    #expect(!news("list", "--csv").output.contains("\"c\""))
    #expect(news("list", "--csv", "--feed", "two").output.contains("\"c\""))
  }

  @Test("what says all leaves them alone, and --no-hide or undo shows them again")
  func marks() throws {
    #expect(news("read", "--all").errors == "2 stories marked read\n")
    #expect(titles("--unread", "--feed", "two") == ["c"])
    news("feeds", "set", "two", "--no-hide")
    #expect(titles("--unread") == ["c"])
    #expect(news("undo").status == 0)
    #expect(titles("--unread") == [])
  }

  @Test("notices and commands for new stories are not told of them")
  func announcements() {
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Two", ["b", "c", "d"])))
    let file = news.folder.path("told")
    let first = news("fetch", "--on-new", "cat >'\(file)'")
    #expect(first.output.hasPrefix("newData: 1 new"))
    #expect(FileStatus(at: file) == nil)
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("One", ["a", "b", "e"])))
    #expect(news("fetch", "--on-new", "cat >'\(file)'").status == 0)
    #expect(FileStatus(at: file) != nil)
  }

  @Test("a run shows none of their headlines unless the feed is named, but counts them")
  func headlines() {
    let serve = { (last: String) in
      news.fetcher.serve(Sample.other, .init(body: Sample.rss("Two", ["b", "c", last])))
    }
    serve("d")
    #expect(news("refresh").output == "")
    serve("e")
    #expect(news("refresh", "two").output.contains("e"))
    serve("f")
    let fetched = news("fetch", "--format", "{title}")
    #expect(fetched.output == "" && fetched.errors.hasPrefix("newData: 1 new"))
    serve("g")
    #expect(news("refresh", "--json").output.contains("\"new\":1"))
    #expect(titles("--feed", "two") == ["b", "c", "d", "e", "f", "g"])
  }

  @Test("the table view counts them under their feed alone, and does not go there by itself")
  func browse() throws {
    let library = try news.store.read()
    let sources = BrowserSource.all(of: library.subscriptions, [])
    let counts = try UnreadCounts(sources, in: library, news.context).counts
    let byName = Dictionary(sources.map { ($0.name, counts[$0.id]) }) { first, _ in first }
    #expect(byName["All stories"] == 2 && byName["Unread"] == 2)
    #expect(byName["Two"] == 2 && byName["One"] == 2 && byName["both"] == 3)
    #expect(sources.filter(\.isHidden).map(\.name) == ["Two"])
  }
}
