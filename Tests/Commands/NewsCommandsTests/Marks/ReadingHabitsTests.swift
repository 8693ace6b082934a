import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine

@Suite("When the reader looks")
struct ReadingHabitsTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    try news.storeSample()
    news.useTerminal(80)
  }

  private func looks() throws -> [Int] {
    let looks = try news.store.habits()?.looks ?? []
    return looks.indices.filter { looks[$0] > 0 }
  }

  @Test(
    "is noted by what shows stories, and by the hour of the week",
    arguments: [["list"], ["open", "1"], ["show", "1"], ["refresh"]],
  )
  func noted(_ words: [String]) throws {
    news.run(words)
    #expect(try looks() == [12])
    news.run(words)
    #expect(try news.store.habits()?.looks[12] == 1)
    news.now += 25 * 3600
    news.run(words)
    #expect(try looks() == [12, 24 + 13])
  }

  @Test("is not noted by anything else, for a program, or where the reader does not want it")
  func notNoted() throws {
    for words in [
      ["fetch"], ["feeds"], ["log"], ["doctor", "--offline"], ["list", "--no-history"],
    ] {
      news.run(words)
    }
    news.variables["NEWS_NO_HISTORY"] = "1"
    news("list")
    news.variables["NEWS_NO_HISTORY"] = nil
    news.terminal.isInputTerminal = false
    news.terminal.isOutputTerminal = false
    news("list")
    #expect(try looks().isEmpty)
  }

  @Test("is forgotten when the reader says so, and no story with it")
  func forgotten() throws {
    news("list")
    #expect(try looks() == [12])
    #expect(
      news("doctor", "--offline").output.contains("habits.plist: ")
    )
    #expect(news("clear", "--history").status == 0)
    #expect(try namesInFolder(news.folder.path("home")).contains("habits.plist") == false)
    #expect(news("list", "--json").output.contains("\"n\":1"))
    #expect(news("clear", "--history", "--feed", "example").status == 64)
  }

  @Test("becomes a habit by repetition, and fades")
  func habit() throws {
    let start = Date(timeIntervalSince1970: 1_793_491_200)
    let after = { (hours: Int) in start.addingTimeInterval(Double(hours) * 3600) }
    // The reader looks at eight on five days, and never on Saturdays and Sundays.
    var habits = ReadingHabits(firstLook: 32, at: after(32))
    for day in 2..<56 where day % 7 != 0 && day % 7 != 6 {
      habits = habits.noting(day % 7 * 24 + 8, at: after(day * 24 + 8))
    }
    let now = after(56 * 24)
    #expect(habits.probability(32, at: now) > 0.8)
    #expect(habits.probability(8, at: now) < 0.25)
    #expect(habits.probability(33, at: now) == 0)
    #expect(habits.probability(32, at: after(56 * 24 + 52 * 168)) < 0.1)
    let hourOfWeek = { (instant: Int) in (instant - 1_793_491_200) / 3600 % 168 }
    let forecast = habits.forecast(at: after(57 * 24 + 5), hourOfWeek: hourOfWeek)
    #expect(forecast.readings == [after(57 * 24 + 8)])
    // The reader looks at eight alone: every hour more than one away from it is quiet.
    #expect(
      forecast.quiet == ([-19, -18] + Array(-14...6) + Array(10...29)).map { after(57 * 24 + $0) }
    )
    #expect(forecast.endOfQuiet(after(57 * 24 + 20)) == after(57 * 24 + 30))
    #expect(forecast.endOfQuiet(after(57 * 24 + 7)) == after(57 * 24 + 7))
    let young = ReadingHabits(firstLook: 8, at: start)
    #expect(young.forecast(at: after(13 * 24), hourOfWeek: hourOfWeek).quiet == [])
  }

  @Test("a damaged record of it harms nothing, and the next look mends it")
  func damaged() throws {
    let path = news.folder.path("home/habits.plist")
    for bytes in [
      "no property list", "<plist version=\"1.0\"><dict><key>looks</key><array/></dict></plist>",
    ] {
      try writeFile(path, bytes.utf8)
      try setModificationTime(of: path, seconds: 0)
      #expect(news("why", Sample.feed).status == 0)
      #expect(news("list").status == 0)
      #expect(try looks() == [12])
    }
  }
}
