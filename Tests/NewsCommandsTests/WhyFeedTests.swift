import FeedFetching
import FeedModel
import FeedStorage
import System
import TestSupport
import Testing

@testable import NewsCommands

@Suite("news why FEED")
struct WhyFeedTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  /// The feed as it was asked an hour ago, due in two.
  private func why(_ change: (inout Subscription) -> Void = { _ in }) throws -> String {
    let now = Date(timeIntervalSince1970: news.now)
    try news.store.update { library throws(StorageError) in
      var feeds = library.subscriptions
      feeds[0].state.lastAsked = now.addingTimeInterval(-3600)
      feeds[0].state.nextDue = now.addingTimeInterval(7200)
      feeds[0].state.earliestDue = now.addingTimeInterval(-1800)
      change(&feeds[0])
      return (LibraryChange(subscriptions: feeds), ())
    }
    let result = news("why", Sample.feed)
    #expect(result.status == 0, Comment(rawValue: result.errors))
    return result.output
  }

  @Test("says when it is asked next, and why then")
  func reasons() throws {
    #expect(try why().contains("14:00") && why().contains("by how often it posts"))
    #expect(try why().contains("from 11:30 on"))
    #expect(
      try why { $0.settings.interval = .seconds(10_800) }.contains("you want it asked every 3h")
    )
    #expect(try why { $0.state.failures = 2 }.contains("it failed 2 times in a row"))
    #expect(try why { $0.state.isGone = true }.contains("gone for good (410)"))
    #expect(try why { $0.state = FeedState() }.contains("it was never asked"))
  }

  @Test("goes by the reader's habits, as fetch --due and feeds do")
  func habits() throws {
    try news.store.noteLook(13, at: Date(timeIntervalSince1970: news.now))
    #expect(try why().contains("12:50") && why().contains("you usually look from 13:00 on"))
    news("fetch", "--due")
    #expect(!news.fetcher.requests.map(\.url).contains(Sample.feed))
    news.now += 3000
    news("fetch", "--due")
    #expect(news.fetcher.requests.map(\.url).contains(Sample.feed))
  }

  @Test("prints no JSON, and knows no such feed")
  func errors() {
    #expect(news("why", "example", "--json").status == 64)
    #expect(news("why", "nowhere").status == 1)
  }
}
