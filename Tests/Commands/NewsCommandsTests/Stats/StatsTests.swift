import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands
@testable import System

@Suite("news stats")
struct StatsTests {
  /// 2026-11-01T12:00:00Z, a Sunday.
  private static let now = 1_793_534_400.0

  private static func date(_ hours: Double) -> Date {
    Date(timeIntervalSince1970: now + hours * 3600)
  }

  private static func period(_ hours: Double, clock: WallClock = .utc(now)) -> Period {
    Period(since: date(-hours), until: date(0), clock: clock)
  }

  private static func run(_ hours: Double, _ outcome: Outcome, seconds: Double = 1) -> RunRecord {
    var run = RunRecord(started: date(hours), command: "fetch", outcome: outcome)
    (run.seconds, run.requests, run.unchanged) = (seconds, 4, 3)
    (run.bytes, run.savedBytes) = (1 << 40, 1 << 40)
    return run
  }

  @Test("runs are counted by day and outcome, where the user is, from the one bound to the other")
  func days() {
    let runs = [
      Self.run(-100, .failed), Self.run(-48, .newData), Self.run(-37, .noData),
      Self.run(-12, .noData), Self.run(-11, .noData), Self.run(0, .failed),
      Self.run(1, .failed), Self.run(1e7, .failed),
    ]
    let utc = RunStatistics(runs, Self.period(48))
    #expect(utc.days.map(\.text) == ["2026-10-30", "2026-11-01"])
    #expect(utc.days.map(\.counts) == [[.newData: 1, .noData: 1], [.noData: 2, .failed: 1]])
    #expect((utc.requests, utc.unchanged) == (20, 15))
    #expect((utc.bytes, utc.savedBytes) == (5 << 40, 5 << 40))
    var clock = WallClock.utc(Self.now)
    let civilTime = clock.civilTime
    clock.civilTime = { civilTime($0 - 3600) }
    #expect(
      RunStatistics(runs, Self.period(48, clock: clock)).days.map(\.text) == [
        "2026-10-30", "2026-10-31", "2026-11-01",
      ]
    )
  }

  @Test("days that do not fit are put together, as many to each column")
  func grouped() {
    let runs = (0..<10).map { Self.run(Double($0) * -24, $0 % 3 == 0 ? .newData : .noData) }
    let statistics = RunStatistics(runs, Self.period(1000))
    let steps = [100, 10, 9, 5, 4, 1, 0].map { statistics.step(atMost: $0) }
    #expect(steps == [1, 1, 2, 2, 3, 10, 10])
    #expect(statistics.counts(.newData, every: 1) == [1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
    #expect(statistics.counts(.noData, every: 3) == [2, 2, 2, 0])
    #expect(statistics.counts(.failed, every: 10) == [0])
    // Since the year 1 there have been 740,000 days.
    let old = RunStatistics([Self.run(-1.77e7, .failed)] + runs, Self.period(1e8))
    #expect(old.counts(.failed, every: old.step(atMost: 50)).count <= 50)
    #expect(RunStatistics([], Self.period(1)).counts(.failed, every: 1) == [])
  }

  @Test(
    "a percentile is the duration that so many of the runs did not exceed",
    arguments: [
      ([], nil, nil), ([3], 3, 3), ([2, 1], 1, 2), ([1, 2, 3, 4], 2, 4),
      ((1...100).reversed().map(Double.init), 50, 95),
    ] as [([Double], Double?, Double?)],
  )
  func percentiles(_ seconds: [Double], _ median: Double?, _ most: Double?) {
    let runs = seconds.map { Self.run(-1, .noData, seconds: $0) }
    let statistics = RunStatistics(runs, Self.period(2))
    #expect(statistics.percentile(50) == median)
    #expect(statistics.percentile(95) == most)
  }

  @Test("the histogram goes from the shortest run to the longest, and has each run once")
  func histogram() {
    let seconds = [0.05, 0.099, 0.2, 0.2, 0.4, 99, 100, 1e9]
    let runs = seconds.map { Self.run(-1, .noData, seconds: $0) }
    let buckets = RunStatistics(runs, Self.period(2)).histogram
    #expect(buckets.map(\.below) == [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, nil])
    #expect(buckets.map(\.runs) == [2, 0, 3, 0, 0, 0, 0, 0, 0, 1, 2])
    let same = RunStatistics([Self.run(-1, .noData, seconds: 1)], Self.period(2)).histogram
    #expect(same == [.init(below: 2, runs: 1)])
    #expect(RunStatistics([], Self.period(2)).histogram == [])
  }

  @Test("a feed always fails when it failed the last time and never succeeded in the period")
  func failing() {
    func feed(_ outcome: Outcome?, _ succeeded: Double?) -> Subscription {
      var feed = Subscription(url: "https://a.example/\(succeeded ?? 0)")
      feed.state.lastOutcome = outcome
      feed.state.lastSucceeded = succeeded.map(Self.date)
      return feed
    }
    let feeds = [
      feed(nil, nil), feed(.noData, -100), feed(.failed, nil), feed(.failed, -100),
      feed(.failed, -10),
    ]
    #expect(Self.period(48).alwaysFailing(feeds) == [feeds[2], feeds[3]])
    #expect(Self.period(1).alwaysFailing(feeds) == Array(feeds[2...]))
  }

  @Test("stories count in the period that a list has them in, and in their hour of the week")
  func stories() throws {
    let news = try CommandRun()
    try news.storeSample()
    func count(_ words: String...) throws -> (feeds: [String], hours: [Int]) {
      let period = Self.period(words.first == "all" ? 1e5 : 48)
      let library = try news.store.read()
      let chosen = words.count > 1 ? Set(words.dropFirst()) : nil
      let names = FeedName(library)
      let told = try StoryStatistics(library.items, of: chosen, period, names: names, opened: [:])
      let hours = told.hours.indices.filter { told.hours[$0] > 0 }
      return (told.feeds.map { "\($0.name) \($0.stories)" }, hours)
    }
    #expect(try count("two days").feeds == ["Example 2", "Other Feed 1"])
    #expect(try count("two days").hours == [9, 11, 6 * 24 + 10])
    #expect(try count("all").feeds == ["Example 4", "Other Feed 2"])
    #expect(try count("all", Sample.other).feeds == ["Other Feed 2"])
    #expect(try count("two days", Sample.other).hours == [9])
    #expect(try count("all", "https://nobody.example/").feeds == [])
  }

  @Test("an undated story, and one of the future, counts as of when it was stored")
  func undated() throws {
    let news = try CommandRun()
    var stories = [Sample.story(1, "a", hours: 3), Sample.story(2, "b", hours: 5)]
    stories[0].item.date = nil
    stories[1].item.date = Self.date(1000)
    try news.store(stories, subscriptions: [(Sample.feed, "Example")])
    let library = try news.store.read()
    let names = FeedName(library)
    let told = try StoryStatistics(
      library.items,
      of: nil,
      Self.period(48),
      names: names,
      opened: [:],
    )
    #expect(told.hours[9] == 1 && told.hours[7] == 1 && told.total == 2)
  }

  @Test("an empty home, and a time of which nothing is known, have one line on standard error")
  func empty() throws {
    let news = try CommandRun()
    #expect(news("stats").errors == "nothing has run yet (`news refresh`)\n")
    #expect(news("stats") == CommandResult(output: "", errors: news("stats").errors, status: 0))
    #expect(news("stats", "--json").output.hasPrefix("{\"since\":\"2026-10-05T00:00:00Z\","))
    try news.storeSample()
    try news.storeRecords()
    let future = news("stats", "--since", "2027-01-01")
    #expect(future.output.isEmpty && future.errors == "nothing is known of this time\n")
    #expect(news("stats", "Example").status == 64)
    #expect(news("stats", "--since", "soon").status == 64)
    #expect(news("stats", "--feed", "nobody").status == 1)
  }

  @Test("with --feed runs, looks and requests are left out, and the rest is of these feeds")
  func oneFeed() throws {
    let news = try CommandRun()
    try news.storeScene()
    try news.storeRecords()
    let all = news("stats", "--since", "5y").output
    for heading in [
      "runs by day", "what you read", "when you look", "conditional requests: 237 of",
    ] {
      #expect(all.contains("\n" + heading))
    }
    let one = news("stats", "--since", "5y", "--feed", "gone", "--feed", "harbour").output
    let headings = one.split(separator: "\n\n").map { $0.prefix { $0 != "\n" } }
    #expect(
      headings == [
        "2021-11-01 to 2026-11-01, 1827 days, --feed gone, harbour", "stories by feed",
        "what you read", "5 stories by hour of the week (@ is 2)", "feeds that always fail: 1",
      ]
    )
    let json = news("stats", "--feed", "gone", "--json").output
    #expect(json.contains("\"days\":[],\"durations\":null,\"requests\":null,"))
  }

  @Test("of many feeds the first are shown, and how many more there are; names are safe")
  func manyFeeds() throws {
    let news = try CommandRun()
    let urls = (10..<40).map { "https://f\($0).example/" }
    let stories = urls.enumerated().map { number, url in
      Sample.story(number, "s", hours: 1, feeds: [url])
    }
    try news.store(stories, subscriptions: urls.map { ($0, "\u{1b}[31m\u{202e}\($0)\n\t") })
    let output = news("stats").output
    #expect(output.split(separator: "\n").count { $0.hasPrefix("[31m") } == 20)
    #expect(output.contains("\nand 10 more feeds\n"))
    #expect(!output.contains("\u{1b}") && !output.contains("\u{202e}") && !output.contains("\t"))
  }

  @Test("no line is wider than the terminal", arguments: [20, 27, 40, 80, 200])
  func fits(_ columns: Int) throws {
    let news = try CommandRun()
    try news.storeScene()
    try news.storeRecords()
    news.useTerminal(columns, variables: ["LC_ALL": "C.UTF-8", "TERM": "dumb"])
    let lines = news("stats", "--since", "5y").output.split(separator: "\n")
    #expect(lines.count > 40)
    for line in lines {
      #expect(TerminalText.width(String(line)) <= columns, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }
}
