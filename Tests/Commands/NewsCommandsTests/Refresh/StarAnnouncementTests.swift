import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import System

@Suite("A command that takes stories with a new star")
struct StarAnnouncementTests {
  private let news: CommandRun
  private let file: String

  init() throws {
    news = try CommandRun()
    file = news.folder.path("starred")
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("One", ["a", "b", "c"])))
    news("subscribe", Sample.feed)
    news("star", "--all", "--grep", "a")
  }

  private func fetch(_ command: String? = nil) -> CommandResult {
    news("fetch", "--on-star", command ?? "cat >> '\(file)'")
  }

  /// Returns the titles that the command was given, and forgets them.
  private func titles() throws -> [String] {
    guard let text = try? readText(file) else { return [] }
    unlink(file)
    return ["a", "b", "c"].filter { text.contains("\"title\":\"\($0)\"") }
  }

  @Test("gets each once, and none that was starred before it was first used")
  func once() throws {
    #expect(fetch().status == 0)
    #expect(try titles() == [])
    news("star", "--all", "--grep", "b")
    #expect(fetch().errors.isEmpty)
    #expect(try titles() == ["b"])
    news("unstar", "--all")
    news("star", "--all")
    #expect(fetch().status == 0)
    #expect(try titles() == ["c"])
    #expect(fetch().status == 0)
    #expect(try titles() == [])
  }

  @Test("gets them again at the next fetch if it has failed")
  func again() throws {
    _ = fetch()
    news("star", "--all", "--grep", "b or c")
    #expect(fetch("exit 3").errors == "news: --on-star: the command exited with status 3\n")
    #expect(fetch().status == 0)
    #expect(try titles() == ["b", "c"])
  }

  @Test("is run from the defaults, and never from a file that others can write to")
  func defaults() throws {
    let path = try news.folder.write("fetch --on-star \"cat >> '\(file)'\"", to: "defaults")
    news.variables["NEWS_DEFAULTS"] = path
    news("fetch")
    news("star", "--all", "--grep", "b")
    #expect(chmod(path, 0o666) == 0)
    #expect(news("fetch").errors.contains("defaults"))
    #expect(try titles() == [])
    #expect(chmod(path, 0o600) == 0)
    news("fetch")
    #expect(try titles() == ["b"])
  }
}
