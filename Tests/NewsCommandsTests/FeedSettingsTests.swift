import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("news feeds set")
struct FeedSettingsTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  private func feed(_ place: Int) throws -> Subscription {
    try news.store.read().subscriptions[place]
  }

  @Test("changes title and tags, says what, and can be undone")
  func change() throws {
    let words = ["feeds", "set", "example", "--title", "Mine", "--tag", "a", "--tag", "b"]
    #expect(
      news.run(words)
        == CommandResult(output: "", errors: "Example: now called Mine, tagged a, b\n", status: 0)
    )
    #expect(try feed(0).title == "Mine" && feed(0).tags == ["a", "b"])
    #expect(
      news.run(words.map { $0 == "example" ? "mine" : $0 }).errors
        == "nothing to change: it is so already\n"
    )
    #expect(
      news("feeds", "set", "mine", "--untag", "A", "--title", "").errors
        == "Mine: now called example.com/feed.xml, no longer tagged a\n".replacing(
          "example.com",
          with: "https://example.com",
        )
    )
    #expect(try feed(0).title == nil && feed(0).tags == ["b"])
    news("undo")
    #expect(try feed(0).title == "Mine" && feed(0).tags == ["a", "b"])
  }

  @Test("of several feeds changes the tags, not the title")
  func several() throws {
    news("feeds", "set", "example", "--tag", "old")
    news("feeds", "set", "other", "--tag", "old")
    news("feeds", "set", "tag:old", "--tag", "new", "--untag", "old")
    #expect(try feed(0).tags == ["new"] && feed(1).tags == ["new"])
    let result = news("feeds", "set", "tag:new", "--title", "Both")
    #expect(result.errors == "news: --title is for one feed; tag:new means 2\n")
    #expect(result.status == 1)
  }

  @Test(
    "wrong words change nothing",
    arguments: [
      (["feeds", "set"], 64), (["feeds", "set", "example"], 64), (["feeds", "--title", "x"], 64),
      (["feeds", "set", "example", "other", "--tag", "x"], 64),
      (["feeds", "set", "nobody", "--tag", "x"], 1),
    ] as [([String], Int32)],
  )
  func wrong(_ words: [String], _ status: Int32) throws {
    let before = try news.store.read().subscriptions
    #expect(news.run(words).status == status)
    #expect(try news.store.read().subscriptions == before)
  }
}
