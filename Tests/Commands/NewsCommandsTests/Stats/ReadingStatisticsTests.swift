import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine

@Suite("What the reader reads, by feed")
struct ReadingStatisticsTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
    news.useTerminal(80)
  }

  private func opened() throws -> [String: Int] { try news.store.habits()?.opened ?? [:] }

  @Test("is noted when an unread story is opened, and not when it is marked")
  func noted() throws {
    news("show", Sample.id(1))
    news("show", Sample.id(1))
    news("open", Sample.id(2))
    news("read", Sample.id(4))
    #expect(try opened() == [Sample.feed: 1, Sample.other: 1])
    news.now += 7200
    news("list")
    #expect(try opened() == [Sample.feed: 1, Sample.other: 1])
  }

  @Test("is not noted where the reader does not want it, nor for a program")
  func notNoted() throws {
    news("show", Sample.id(1), "--no-history")
    news.terminal.isInputTerminal = false
    news.terminal.isOutputTerminal = false
    news("show", Sample.id(2))
    #expect(try opened() == [:])
  }

  @Test("is shown by stats, with the feeds that are never read, and sorts feeds")
  func shown() throws {
    news("show", Sample.id(1))
    let lines = news("stats").output.split(separator: "\n")
    #expect(lines.contains { $0.contains("Example") && $0.contains("66 %") }, "\(lines)")
    #expect(lines.contains("never read: Other Feed"))
    #expect(!lines.contains { $0.contains("durations") })
    #expect(
      news("stats", "--json").output.contains(
        "\"stories\":3,\"read\":2,\"starred\":0,\"opened\":1}"
      )
    )
    news("read", "--all", "--feed", "other")
    let feeds = news("feeds", "--sort", "read", "--json").output.split(separator: "\"title\":")
    #expect(feeds.count == 3 && feeds[1].hasPrefix("\"Other Feed\""), "\(feeds)")
  }
}
