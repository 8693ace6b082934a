import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import FeedUpdating

private let feedA = "https://a.example/feed"
private let feedB = "https://b.example/feed"
private let feedC = "https://c.example/feed"

@Suite("A run that dies, and the next one")
struct DeadRunTests {
  private let documents: [String: FakeAnswer] = [
    feedA: .document(rss("A", [("one", 1)])),
    feedB: .document(rss("B", [("two", 2)])),
    feedC: .document(rss("C", [("three", 3)])),
  ]

  /// Leaves the record of a dead run, with how far each feed was.
  private func die(_ bench: RefreshBench, _ lines: [String], isSaving: Bool = false) throws {
    let text = "\(isSaving ? "s" : "-") saving\n" + lines.map { $0 + "\n" }.joined()
    try writeFile("\(bench.store.home)/running.1", text.utf8)
  }

  private func order(_ fetcher: FakeFetcher) -> [String] {
    fetcher.requests.map(\.url)
  }

  @Test("what was being read is asked last and alone, after all others are saved")
  func last() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB, feedC])
    try die(bench, ["r \(feedA)", "a \(feedB)", "- \(feedC)"])
    let stored = Mutex<[[String]]>([])
    let fetcher = FakeFetcher(documents) {
      do {
        let titles = try bench.titles()
        stored.withLock { $0.append(titles) }
      } catch { Issue.record(error) }
    }
    let report = bench.refresh(fetcher, at: 5)
    #expect(order(fetcher) == [feedC, feedB, feedA])
    // At the end of each batch, before it is saved.
    #expect(stored.withLock { $0 } == [[], ["three"], ["three", "two"]])
    #expect(report.suspects.map(\.url) == [feedA, feedB])
    #expect(report.feeds.map(\.url) == [feedA, feedB, feedC])
    #expect(report.outcome == .newData && report.new == 3)
    #expect(
      try report.newItems.indices.map { try report.newItems.item(at: $0).item.title } == [
        "three", "two", "one",
      ]
    )
    #expect(try bench.titles() == ["three", "two", "one"])
    #expect(try namesInFolder(bench.store.home).allSatisfy { !$0.hasPrefix("running") })
    let next = FakeFetcher(documents)
    #expect(bench.refresh(next, at: 6).suspects.isEmpty)
    // No longer by what they were suspected of: the newer a feed's stories, the sooner it is asked.
    #expect(order(next) == [feedC, feedB, feedA])
  }

  @Test("while something was saved, what had come is suspected too; otherwise it is not")
  func saving() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    try die(bench, ["d \(feedA)", "- \(feedB)"])
    #expect(bench.refresh(FakeFetcher(documents), at: 5).suspects.isEmpty)
    try die(bench, ["d \(feedA)", "- \(feedB)"], isSaving: true)
    #expect(bench.refresh(FakeFetcher(documents), at: 6).suspects.map(\.url) == [feedA])
  }

  @Test("a server that wants to be left in peace is, by the feeds that are asked alone too")
  func busyServer() throws {
    let urls = ["https://a.example/1", "https://a.example/2", "https://a.example/3"]
    let bench = try RefreshBench(subscriptions: urls + [feedB])
    try die(bench, urls.map { "r \($0)" })
    let fetcher = FakeFetcher([urls[0]: .refused(.status(429), nil, at: urls[0])])
    _ = bench.refresh(fetcher, at: 5)
    #expect(order(fetcher) == [feedB] + urls)
    let unasked = FetchError.hostBusy(status: 429, retryAfter: nil)
    #expect(fetcher.options?.stoppedServers == ["https://a.example": unasked])
  }

  @Test("after three deaths that nothing else can have caused, a feed is left alone")
  func held() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    for death in 1...3 {
      try die(bench, ["r \(feedA)"])
      let fetcher = FakeFetcher(documents)
      let report = bench.refresh(fetcher, at: Double(death)) { $0.feeds = [feedB] }
      #expect(order(fetcher) == [feedB])
      #expect(report.suspects.map(\.state.crashes?.count) == [death])
    }
    let state = try bench.state(feedA)
    #expect(state.isQuarantined && state.lastOutcome == .failed && state.nextDue == nil)
    for options in [[feedA], nil] as [[String]?] {
      let fetcher = FakeFetcher(documents)
      let report = bench.refresh(fetcher, at: 5) { $0.feeds = options }
      #expect(!order(fetcher).contains(feedA))
      #expect(report.unasked.map(\.reason) == [.quarantined])
      #expect(report.outcome == (options == nil ? .noData : .failed))
    }
    let refusing = FakeFetcher([feedA: .failed(.status(500))])
    _ = bench.refresh(refusing, at: 6) { ($0.feeds, $0.isForced) = ([feedA], true) }
    #expect(order(refusing) == [feedA])
    #expect(try bench.state(feedA).isQuarantined)
    _ = bench.refresh(FakeFetcher(documents), at: 7) { ($0.feeds, $0.isForced) = ([feedA], true) }
    #expect(try bench.state(feedA).crashes == nil)
    #expect(try bench.titles() == ["two", "one"])
  }

  @Test("feeds that die together are never left alone, and an answer clears them")
  func together() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    for death in 1...5 {
      try die(bench, ["r \(feedA)", "a \(feedB)"])
      _ = bench.refresh(FakeFetcher([:]), at: Double(death)) { $0.feeds = [] }
    }
    #expect(try bench.state(feedA).crashes == RunCrashes(count: 2, isAlone: true))
    #expect(try bench.state(feedB).crashes == RunCrashes(count: 2, isAlone: true))
    _ = bench.refresh(FakeFetcher([feedA: .failed(.status(500))]), at: 6) { $0.feeds = [feedA] }
    _ = bench.refresh(FakeFetcher([feedB: .failed(.deadline)]), at: 6) { $0.feeds = [feedB] }
    #expect(try bench.state(feedA).crashes == nil)
    #expect(try bench.state(feedB).crashes?.count == 2)
  }

  @Test("a run that goes on is not a dead one, and two have a record each")
  func alive() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let names = Mutex<[[String]]>([])
    let fetcher = FakeFetcher(documents) {
      let inner = FakeFetcher(documents) {
        let records = try? namesInFolder(bench.store.home).filter { $0.hasPrefix("running.") }
        names.withLock { $0.append(records ?? []) }
      }
      #expect(bench.refresh(inner, at: 5).suspects.isEmpty)
      #expect(bench.store.deadRuns().isEmpty)
    }
    #expect(bench.refresh(fetcher, at: 5).suspects.isEmpty)
    #expect(names.withLock { $0.map(\.count) } == [2])
    #expect(try bench.store.runRecords().isEmpty)
  }

  @Test(
    "a record with anything in it harms nothing, and goes",
    arguments: [
      "", "\n", "s", "r", "r \n", "s saving\nr", "s saving\nr \nx \(feedA)\n\n\nrr\(feedA)",
      "- saving\nr https://elsewhere.example/\n", "- saving\nr \u{0}\u{1B}]0;x\u{7}\n",
      // Said in full, it would be most of what a run of the tests prints.
      "many lines",
    ],
  )
  func hostile(_ content: String) throws {
    let isLong = content == "many lines"
    let content = isLong ? String(repeating: "r \(feedA)\n", count: 800_000) : content
    let bench = try RefreshBench(subscriptions: [feedA])
    try writeFile("\(bench.store.home)/running.1", content.utf8)
    let report = bench.refresh(FakeFetcher(documents), at: 5)
    #expect(report.suspects.isEmpty && report.new == 1 && report.storageError == nil)
    #expect(try bench.store.runRecords().isEmpty)
  }

  @Test("what is no file in a record's place is left there, and stops nothing")
  func noFile() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    try makePipe("\(bench.store.home)/running.1")
    #expect(bench.refresh(FakeFetcher(documents), at: 5).new == 1)
    #expect(try bench.store.runRecords() == ["running.1"])
  }
}

@Suite("What has arrived is saved while others are waited for")
struct SavingInBetweenTests {
  private let urls = (0..<6).map { "https://\($0).example/feed" }

  private func answers(_ titles: (Int) -> [String]) -> [String: FakeAnswer] {
    Dictionary(
      uniqueKeysWithValues: urls.indices.map { number in
        let stories = titles(number).enumerated().map { (name: $1, hour: 20 - number - $0) }
        return (urls[number], .document(rss("feed \(number)", stories), etag: titles(number)[0]))
      }
    )
  }

  /// A run that saves after each feed, or once.
  private func run(
    _ bench: RefreshBench,
    _ answers: [String: FakeAnswer],
    savesEach: Bool,
  ) throws -> RefreshReport {
    let fetcher = FakeFetcher(
      answers,
      between: { asked in
        guard savesEach, asked > 0 else { return }
        // The one before this is in the store.
        try? waitUntil { try bench.state(urls[asked - 1]).lastAsked == hour(50) }
      },
    )
    return bench.refresh(fetcher, at: 50) { options in
      options.savingInterval = savesEach ? .zero : .seconds(3_600)
    }
  }

  @Test("what a run comes to is the same, whether it saves once or after each feed")
  func sameReport() throws {
    let first = answers { ["old \($0)", "common"] }
    let second = answers { ["new \($0)", "old \($0)", "common", "common \($0 / 2)"] }
    var told: [[String]] = []
    for savesEach in [false, true] {
      let bench = try RefreshBench(subscriptions: urls)
      _ = bench.refresh(FakeFetcher(first), at: 40)
      let report = try run(bench, second, savesEach: savesEach)
      #expect(report.outcome == .newData && report.stored == 9)
      let feeds = report.feeds.map {
        "\($0.url) \($0.outcome) \($0.new) \($0.stored) \($0.updated)"
      }
      let news = try report.newItems.indices.map { try report.newItems.item(at: $0).item.title }
      let stored = try bench.items().map { "\($0.item.title) \($0.feeds) \($0.id)" }
      // Which of several feeds' stories of one instant comes first follows from when they came.
      told.append(feeds + news + stored.sorted())
    }
    #expect(told[0] == told[1])
  }

  @Test("failures wait for the end, when it is known whether the network is at fault")
  func failures() throws {
    let dead = FakeAnswer.failed(.nameNotResolved(host: "x"))
    let bench = try RefreshBench(subscriptions: urls + ["file:///f.xml"])
    var answers = Dictionary(uniqueKeysWithValues: urls.map { ($0, dead) })
    answers["file:///f.xml"] = .document(rss("F", [("file", 1)]))
    let fetcher = FakeFetcher(
      answers,
      between: { asked in
        if asked == urls.count + 1 { try? waitUntil { try bench.titles() == ["file"] } }
      },
    )
    let report = bench.refresh(fetcher, at: 5) { $0.savingInterval = .zero }
    #expect(report.isOffline && report.failed == 6 && report.new == 1)
    for url in urls {
      var state = try bench.state(url)
      #expect(state.unreachedSince != nil)
      state.unreachedSince = nil
      #expect(state == FeedState())
    }
  }

  @Test("a store that cannot be written in between is tried again at the end")
  func lockedMeanwhile() throws {
    let bench = try RefreshBench(subscriptions: urls)
    let fetcher = FakeFetcher(
      answers { ["\($0)"] },
      meanwhile: { chmod(bench.store.home, 0o700) },
      between: { asked in
        guard asked == 3 else { return }
        try? waitUntil { try bench.titles().count == 3 }
        chmod(bench.store.home, 0o777)
      },
    )
    let report = bench.refresh(fetcher, at: 50) { $0.savingInterval = .zero }
    #expect(report.storageError == nil && report.new == 6)
    #expect(try bench.titles() == ["0", "1", "2", "3", "4", "5"])
  }
}
