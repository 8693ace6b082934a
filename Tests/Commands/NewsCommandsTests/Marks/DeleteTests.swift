import FeedModel
import FeedStorage
import Testing

@Suite("news delete")
struct DeleteTests {
  private let news: CommandRun

  /// Stores two feeds: `a` to `d` of one, `d` and `e` of the other.
  init() throws {
    news = try CommandRun()
    serve(["a", "b", "c", "d"], "1")
    news.fetcher.serve(Sample.other, .init(body: Sample.rss("Two", ["d", "e"])))
    #expect(news("subscribe", "--no-check", Sample.feed, Sample.other).status == 0)
    #expect(news("refresh").status == 0)
    #expect(try titles == ["a", "b", "c", "d", "e"])
    news("list")
  }

  private func serve(_ stories: [String], _ etag: String) {
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("One", stories), etag: etag))
  }

  private var titles: [String] {
    get throws { try news.stories().map(\.item.title) }
  }

  @Test("what is deleted stays away, in all feeds that carry it, until undo brings it back")
  func staysAway() throws {
    #expect(news("delete", "1", "4").errors == "2 stories deleted; `news undo` brings them back\n")
    #expect(try titles == ["b", "c", "e"])
    #expect(news("why", "two").output.contains("stories that you deleted for good stay away"))
    serve(["a", "b", "c", "d", "f"], "2")
    #expect(news("refresh", "--force").output.contains("f"))
    #expect(try titles.sorted() == ["b", "c", "e", "f"])
    #expect(news("undo").errors.contains("2 stories are back"))
    #expect(try titles.sorted() == ["a", "b", "c", "d", "e", "f"])
    news("refresh", "--force")
    #expect(try titles.count == 6)
    #expect(try news.store.read().subscriptions.allSatisfy { $0.state.cleared.isEmpty })
  }

  @Test("starred stories are kept, and said to be")
  func starred() throws {
    news("star", "2")
    let said = news("delete", "1-3").errors
    #expect(said == "2 stories deleted, 1 starred kept; `news undo` brings them back\n")
    #expect(try titles == ["b", "d", "e"])
    #expect(news("delete", "2").errors == "0 stories deleted, 1 starred kept\n")
  }

  @Test("all of a filter go after a question on a terminal")
  func all() throws {
    news("read", "1")
    #expect(news("delete", "--all", "--feed", "One").status == 64)
    #expect(news("delete", "--all", "--grep", "nowhere").errors == "0 stories deleted\n")
    news.useTerminal(80)
    news.input = ["n", "y"]
    let asked = news("delete", "--all", "--feed", "One", "--unread").errors
    #expect(asked.hasPrefix("Delete 3 stories?"))
    #expect(try titles.count == 5)
    #expect(news("delete", "--all", "--feed", "One", "--unread").status == 0)
    #expect(try titles == ["a", "e"])
    #expect(news("delete", "--all", "--yes").status == 0)
    news("refresh", "--force")
    #expect(try titles == [])
    #expect(news("delete", "--unread").status == 64 && news("delete").status == 64)
  }
}
