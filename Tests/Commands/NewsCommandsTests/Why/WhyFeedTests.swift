import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("news why FEED")
struct WhyFeedTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
  }

  /// Returns the lines about the feed, asked an hour ago and due in two hours, as one line.
  private func why(_ change: (inout Subscription) -> Void = { _ in }) throws -> String {
    let now = Date(timeIntervalSince1970: news.now)
    try news.store.update { library in
      var feeds = library.subscriptions
      feeds[0].state.lastAsked = now.addingTimeInterval(-3600)
      feeds[0].state.nextDue = now.addingTimeInterval(7200)
      feeds[0].state.earliestDue = now.addingTimeInterval(-1800)
      change(&feeds[0])
      return (LibraryChange(subscriptions: feeds), ())
    }
    let result = news("why", Sample.feed)
    #expect(result.status == 0, Comment(rawValue: result.errors))
    return result.output.replacing("\n", with: " ")
  }

  @Test("says in sentences how often it is asked, why, and when next")
  func reasons() throws {
    let little =
      "Asked every hour, because little is known yet of how often it posts; next at 14:00."
    #expect(try why().contains("  \(little) Last asked at 11:00. "))
    #expect(
      try why { $0.state.rhythm = .seconds(21_600) }
        .contains("Asked every 6 hours, because it posts about one story every ")
    )
    #expect(
      try why { ($0.state.rhythm, $0.state.earliestDue) = (nil, $0.state.nextDue) }
        .contains("Asked every 3 hours, because it or its server asks not to be asked more often;")
    )
    #expect(
      try why { $0.settings.interval = .seconds(10_800) }
        .contains("Asked every 3 hours, because you want it so; next at 14:00.")
    )
    #expect(
      try why { $0.state.failures = 2 }
        .contains("It failed 2 times in a row, so it is asked less often; next at 14:00.")
    )
    #expect(
      try why { $0.state.lastError = "server answered 500" }
        .contains(" Failed    server answered 500")
    )
    #expect(try why { $0.state.isGone = true }.contains("gone for good (410)."))
    #expect(try why { $0.state = FeedState() }.contains("It was never asked; due now."))
    let cleared = try why { feed in
      feed.state.earliestDue = Date(timeIntervalSince1970: news.now + 900)
      feed.state.nextDue = nil
    }
    #expect(cleared.contains("It will be fetched completely; due now. Last asked at 11:00."))
    #expect(!cleared.contains("Not before"))
  }

  @Test("says who had it wait: the feed or its server, all feeds, or a failure")
  func waits() throws {
    let soon = Date(timeIntervalSince1970: news.now + 900)
    #expect(try why { $0.state.earliestDue = soon }.contains("it or its server asked for that"))
    let usual = try why { feed in
      let asked = Date(timeIntervalSince1970: news.now - 60)
      feed.state.lastAsked = asked
      feed.state.earliestDue = RefreshSchedule.earliestDue(after: Visit(feed), now: asked)
    }
    #expect(usual.contains(": no feed is asked more often."), "\(usual)")
    let failed = try why { ($0.state.failures, $0.state.earliestDue) = (1, $0.state.nextDue) }
    #expect(!failed.contains("Not before"))
  }

  @Test("names the time that feeds --json has")
  func oneTime() throws {
    try news.store.noteVisit(13, at: Date(timeIntervalSince1970: news.now))
    #expect(try why().contains("next at 12:50"))
    #expect(
      news("feeds", Sample.feed, "--json").output.contains("\"nextDue\":\"2026-11-01T12:50:00Z\"")
    )
    #expect(news("feeds", Sample.feed).output.contains("\t2026-11-01T12:50:00Z\t"))
    news.now += 3600
    #expect(news("feeds", Sample.feed, "--json").output.contains("\"nextDue\":null"))
  }

  @Test("goes by the reader's habits, as fetch --due and feeds do")
  func habits() throws {
    try news.store.noteVisit(13, at: Date(timeIntervalSince1970: news.now))
    #expect(try why().contains("next at 12:50, because you usually look from 13:00 on."))
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
