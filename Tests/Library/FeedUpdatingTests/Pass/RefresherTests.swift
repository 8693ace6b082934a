import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import System
import TestSupport
import Testing

@testable import FeedUpdating

struct RefreshBench {
  let folder: TemporaryFolder
  let store: LibraryStore

  init(subscriptions: [String] = []) throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
    try subscribe(subscriptions)
  }

  func subscribe(_ urls: [String], _ change: (inout FeedState) -> Void = { _ in }) throws {
    try update { subscriptions in
      subscriptions += urls.map { url in
        var subscription = Subscription(url: url)
        change(&subscription.state)
        return subscription
      }
    }
  }

  func update(_ change: (inout [Subscription]) -> Void) throws {
    var store = store
    var subscriptions = try store.read().subscriptions
    change(&subscriptions)
    store.typed = OwnWords(typed: subscriptions.flatMap(\.ownWords))
    try store.update { _ in (LibraryChange(subscriptions: subscriptions), ()) }
  }

  func refresh(
    _ fetcher: FakeFetcher,
    at hours: Double,
    _ change: (inout RefreshOptions) -> Void = { _ in },
  ) -> RefreshReport {
    var options = RefreshOptions(command: "refresh")
    change(&options)
    return Refresher(store: store, fetcher: fetcher, now: { hour(hours) }).run(options)
  }

  func items() throws -> [StoredItem] {
    let table = try store.read().items
    return try (0..<table.count).map { try table.item(at: $0) }
  }

  func titles() throws -> [String] {
    try items().map(\.item.title)
  }

  /// Returns the subscriptions without the note that the machine seemed to be offline.
  func subscriptionsButOffline() throws -> [Subscription] {
    try store.read().subscriptions.map { subscription in
      var subscription = subscription
      subscription.state.unreachedSince = nil
      return subscription
    }
  }

  func state(_ url: String) throws -> FeedState {
    try #require(try store.read().subscriptions.first { $0.url == url }).state
  }
}

private let feedA = "https://a.example/feed"
private let feedB = "https://b.example/feed"

@Suite("Refresher")
struct RefresherTests {
  private let documentA = rss("A", [("two", 2), ("one", 1)])
  private let documentB = rss("B", [("three", 3)])

  @Test("what a feed has answered before the run is stored as it was read, and nobody is asked")
  func answers() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    var feed = Feed(format: .rss20)
    (feed.title, feed.items) = ("A", [Item(title: "one", guid: "1")])
    var response = FetchResponse(status: 200, url: feedA)
    response.validators = CacheValidators(etag: "\"1\"", lastModified: nil, url: feedA)
    let answer = FetchedDocument(
      url: feedA,
      outcome: .content(response),
      feed: .success(feed),
      digest: "d",
    )
    let fetcher = FakeFetcher([feedB: .document(documentB)])
    let report = Refresher(
      store: bench.store,
      fetcher: fetcher,
      now: { hour(5) },
      answers: [feedA: answer],
    ).run(RefreshOptions(command: "refresh"))
    #expect(report.outcome == .newData && report.new == 2)
    #expect(fetcher.requests.map(\.url) == [feedB])
    #expect(try Set(bench.titles()) == ["one", "three"])
    let state = try bench.state(feedA)
    #expect(state.title == "A" && state.bodyDigest == "d" && state.lastStatus == 200)
    #expect(state.validators == response.validators)
  }

  @Test("of what its feed no longer carries, the newest two hundred are kept")
  func newStore() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let many = (0..<300).map { (name: "s\($0)", hour: 1) }
    let first = bench.refresh(FakeFetcher([feedA: .document(rss("A", many))]), at: 5)
    let fewer = FakeFetcher([feedA: .document(rss("A", [("new", 2)]))])
    #expect(first.warnings + bench.refresh(fewer, at: 6).warnings == [])
    #expect(try bench.items().count == 201)
  }

  @Test("a run that asks nobody leaves no record, and writes nothing")
  func idle() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let fetcher = FakeFetcher([feedA: .document(documentA)])
    _ = bench.refresh(fetcher, at: 5)
    func files() throws -> [String] {
      try Subprocess.run(
        ["find", bench.store.home, "-printf", "%p %i %s %T@ %C@\n"]
      ).text.split(separator: "\n").map(String.init).sorted()
    }
    let before = try files()
    let report = bench.refresh(fetcher, at: 5.01) { $0.onlyDue = true }
    #expect(report.asked == 0 && report.outcome == .noData)
    #expect(try files() == before)
    #expect(try bench.store.ledger().count == 1)
  }

  @Test("the first run stores everything, and reports it")
  func first() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let fetcher = FakeFetcher([feedA: .document(documentA), feedB: .document(documentB)])
    let report = bench.refresh(fetcher, at: 5)
    #expect(report.outcome == .newData)
    #expect(report.new == 3 && report.stored == 3)
    #expect(report.asked == 2 && report.failed == 0 && report.subscribed == 2)
    #expect(report.feeds.map(\.title) == ["A", "B"])
    #expect(report.feeds.map(\.new) == [2, 1])
    #expect(report.feeds.map(\.status) == [200, 200])
    #expect(report.feeds.map(\.bytes) == [documentA.utf8.count, documentB.utf8.count])
    #expect(
      try report.newItems.indices.map { try report.newItems.item(at: $0).item.title } == [
        "three", "two", "one",
      ]
    )
    #expect(try bench.titles() == ["three", "two", "one"])
    let runs = try bench.store.ledger()
    #expect(runs.map(\.new) == [3])
    #expect(runs.map(\.command) == ["refresh"])
    #expect(runs.map(\.outcome) == [.newData])
  }

  @Test(
    "to another site goes neither a feed's command for its password nor the leave to be private"
  )
  func strangeSite() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    try bench.update { feeds in
      for place in feeds.indices {
        feeds[place].passwordCommand = "pass"
        feeds[place].state.isOnInternet = false
      }
    }
    let (own, other) = ("https://a.example/new", "https://c.example/feed")
    let fetcher = FakeFetcher([
      feedA: .moved(to: own, documentA), feedB: .moved(to: other, documentB),
    ])
    _ = bench.refresh(fetcher, at: 5)
    let feeds = try bench.store.read().subscriptions
    #expect(fetcher.requests.map(\.passwordCommand) == ["pass", "pass"])
    #expect(feeds.map(\.url) == [own, other])
    #expect(feeds.map(\.passwordCommand) == ["pass", nil])
    #expect(feeds.map(\.state.isOnInternet) == [false, true])
  }

  @Test("what is set for one feed holds, but for what the run itself says")
  func settings() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    try bench.update { feeds in
      feeds[0].settings.maximumBytes = 9_999
      feeds[0].settings.keep = 1
      feeds[0].settings.userAgent = "Mine"
    }
    _ = bench.refresh(
      FakeFetcher([
        feedA: .document(rss("A", [("three", 3), ("two", 2), ("one", 1)])),
        feedB: .document(rss("B", [("six", 3), ("five", 2), ("four", 1)])),
      ]),
      at: 5,
    )
    let later = FakeFetcher([
      feedA: .document(rss("A", [("seven", 4)])), feedB: .document(rss("B", [("eight", 4)])),
    ])
    _ = bench.refresh(later, at: 6)
    #expect(later.requests.map(\.maximumBytes) == [9_999, nil])
    #expect(later.requests.map(\.userAgent) == ["Mine", nil])
    #expect(Set(try bench.titles()) == ["seven", "three", "eight", "six", "five", "four"])
    _ = bench.refresh(later, at: 7) {
      $0.keep = 1
      $0.maximumBytes = 8_888
      $0.isForced = true
    }
    #expect(later.requests.map(\.maximumBytes) == [9_999, nil, 8_888, 8_888])
    #expect(Set(try bench.titles()) == ["seven", "three", "eight", "six"])
  }

  @Test("a run that brings more than is held in memory stores and reports all of it")
  func many() throws {
    let urls = (0..<5).map { "https://feed\($0).example/feed" }
    let text = String(repeating: "word ", count: 199)
    let answers = urls.enumerated().map { number, url in
      let stories = (0..<600).map { story in
        """
        <item><title>\(number)-\(story)</title><guid>\(story)</guid>\
        <description>\(text)\(story)</description></item>
        """
      }
      let channel = "<channel><title>\(number)</title>\(stories.joined())</channel>"
      return (url, FakeAnswer.document("<rss version=\"2.0\">\(channel)</rss>"))
    }
    let bench = try RefreshBench(subscriptions: urls)
    let report = bench.refresh(FakeFetcher(Dictionary(uniqueKeysWithValues: answers)), at: 5)
    #expect(report.storageError == nil)
    let titles = (0..<5).flatMap { number in (0..<600).map { "\(number)-\($0)" } }
    #expect(try bench.titles() == titles)
    #expect(
      try bench.items().allSatisfy {
        let text = try bench.store.text(of: $0).map { String(decoding: $0.bytes, as: UTF8.self) }
        return text?.hasSuffix("word \($0.item.guid ?? "")") == true
      }
    )
    let news = try report.newItems.indices.map { try report.newItems.item(at: $0) }
    #expect(try news == bench.items())
    #expect(try !namesInFolder(bench.store.home).contains(".fetched.new"))
  }

  @Test("the second run sends the validators, finds no data, and does not write the stories")
  func notModified() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let fetcher = FakeFetcher([feedA: .document(documentA, etag: "\"1\"")])
    _ = bench.refresh(fetcher, at: 5)
    let before = try fileNumber(bench.store.dataPath)
    let report = bench.refresh(fetcher, at: 6)
    #expect(report.outcome == .noData)
    #expect(report.feeds.map(\.status) == [304])
    let runs = try bench.store.ledger()
    #expect(runs.map(\.unchanged) == [0, 1])
    #expect(runs.map(\.savedBytes) == [0, documentA.utf8.count])
    #expect(fetcher.requests.map(\.validators?.etag) == [nil, "\"1\""])
    #expect(try fileNumber(bench.store.dataPath) == before)
    #expect(try bench.state(feedA).lastAsked == hour(6))
  }

  @Test("a body that is the last one again is no data without a 304 too")
  func sameBody() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    _ = bench.refresh(FakeFetcher([feedA: .document(documentA)]), at: 5)
    let before = try fileNumber(bench.store.dataPath)
    let report = bench.refresh(FakeFetcher([feedA: .document(documentA, etag: "new")]), at: 6)
    #expect(report.outcome == .noData)
    #expect(try fileNumber(bench.store.dataPath) == before)
    #expect(try bench.state(feedA).validators?.etag == "new")
  }

  @Test("what changed is new data; a story that another feed had already is stored once")
  func changed() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    _ = bench.refresh(
      FakeFetcher([feedA: .document(documentA), feedB: .document(documentB)]),
      at: 5,
    )
    let fetcher = FakeFetcher([
      feedA: .document(rss("A", [("four", 4), ("three", 3), ("two", 2), ("one", 1)])),
      feedB: .document(documentB),
    ])
    let report = bench.refresh(fetcher, at: 6)
    #expect(report.new == 1 && report.stored == 1)
    #expect(report.feeds.map(\.outcome) == [.newData, .noData])
    #expect(try bench.titles() == ["four", "three", "two", "one"])
    #expect(try bench.items()[1].feeds == [feedB, feedA])
  }

  @Test("one feed's failure stops no other; the run fails when all do")
  func failures() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let one = bench.refresh(
      FakeFetcher([feedA: .failed(.status(500)), feedB: .document(documentB)]),
      at: 5,
    )
    #expect(one.outcome == .newData)
    #expect(one.failed == 1)
    #expect(one.feeds[0].error == "\(FetchError.status(500))")
    #expect(try one.feeds[0].nextTry == bench.state(feedA).nextDue)
    let both = bench.refresh(
      FakeFetcher([feedA: .failed(.status(500)), feedB: .document("<html></html>")]),
      at: 6,
    )
    #expect(both.outcome == .failed)
    #expect(both.failed == 2)
    #expect(try bench.titles() == ["three"])
    #expect(try bench.state(feedB).failures == 1)
    #expect(try bench.state(feedB).validators == nil)
  }

  @Test("no subscription, no run; nothing due, no data")
  func nothingToDo() throws {
    let bench = try RefreshBench()
    let none = bench.refresh(FakeFetcher([:]), at: 5)
    #expect(none.subscribed == 0)
    #expect(none.outcome == .noData)
    #expect(try bench.store.ledger().isEmpty)
    try bench.subscribe([feedA]) { $0.nextDue = hour(7) }
    let report = bench.refresh(FakeFetcher([:]), at: 6) { $0.onlyDue = true }
    #expect(report.outcome == .noData)
    #expect(report.asked == 0)
    #expect(report.subscribed == 1)
  }

  @Test("offline: one fact, and no feed's schedule suffers")
  func offline() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    _ = bench.refresh(
      FakeFetcher([feedA: .document(documentA), feedB: .document(documentB)]),
      at: 5,
    )
    let before = try bench.store.read().subscriptions
    let error = FetchError.nameNotResolved(host: "a.example")
    let report = bench.refresh(FakeFetcher([feedA: .failed(error), feedB: .failed(error)]), at: 6)
    #expect(report.feeds.allSatisfy { $0.isOffline })
    #expect(report.isOffline)
    #expect(report.outcome == .failed)
    #expect(report.failed == 2)
    #expect(try bench.subscriptionsButOffline() == before)
    let half = bench.refresh(
      FakeFetcher([feedA: .failed(error), feedB: .document(documentB)]),
      at: 7,
    )
    #expect(!half.isOffline)
    #expect(try bench.state(feedA).failures == 1)
  }

  @Test("a lone subscription whose host is dead fails more and more")
  func loneDeadHost() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let fetcher = FakeFetcher([feedA: .failed(.nameNotResolved(host: "a.example"))])
    let report = bench.refresh(fetcher, at: 5)
    #expect(!report.isOffline && report.outcome == .failed)
    _ = bench.refresh(fetcher, at: 6)
    #expect(try bench.state(feedA).failures == 2)
    #expect(
      try bench.state(feedA).lastError == "the address of the host a.example could not be looked up"
    )
  }

  @Test("dead hosts stay dead when only they are due, and a machine without network spares all")
  func deadHosts() throws {
    let dead = ["https://x.example/feed", "https://y.example/feed"]
    let bench = try RefreshBench(subscriptions: dead + [feedA, feedB])
    let error = FakeAnswer.failed(.nameNotResolved(host: "x"))
    let gone = Dictionary(uniqueKeysWithValues: dead.map { ($0, error) })
    let online = gone.merging([feedA: .document(documentA), feedB: .document(documentB)]) { $1 }
    for run in 1...5 { _ = bench.refresh(FakeFetcher(online), at: Double(run)) }
    let alone = FakeFetcher(gone)
    let report = bench.refresh(alone, at: 6) { $0.feeds = dead }
    #expect(alone.requests.count == 2)
    #expect(!report.isOffline && report.failed == 2)
    for url in dead {
      let state = try bench.state(url)
      #expect(state.failures == 5 && state.isUnreachable)
      #expect(try #require(state.nextDue) >= hour(10))
    }
    let before = try bench.store.read().subscriptions
    let all = gone.merging([feedA: error, feedB: error]) { $1 }
    #expect(bench.refresh(FakeFetcher(all), at: 100).isOffline)
    #expect(try bench.subscriptionsButOffline() == before)
  }

  @Test("two dead hosts are offline for three days, and then failing")
  func deadForEver() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let late = FakeAnswer.failed(.connectTimeout(.seconds(10), host: "a.example"))
    let dead = FakeFetcher([feedA: late, feedB: late])
    for hours in [0.0, 24, 71] { #expect(bench.refresh(dead, at: hours).isOffline) }
    #expect(try bench.state(feedA).failures == 0)
    for hours in [73.0, 74] { #expect(!bench.refresh(dead, at: hours).isOffline) }
    #expect(try bench.state(feedA).failures == 2)
    #expect(try bench.state(feedB).nextDue.map { $0 > hour(74.2) } == true)
    let good = FakeFetcher([feedA: .document(documentA), feedB: late])
    _ = bench.refresh(good, at: 75)
    #expect(try bench.state(feedA).unreachedSince == nil)
    #expect(try bench.state(feedB).failures == 3 && bench.state(feedB).isUnreachable)
  }

  @Test("a network that wants a login first counts against no feed, with TLS or without")
  func captivePortal() throws {
    let plain = "http://c.example/feed"
    let bench = try RefreshBench(subscriptions: [feedA, feedB, plain])
    let forged = FakeAnswer.failed(.tls(.unknownAuthority))
    let portal = FakeFetcher([
      feedA: forged, feedB: .failed(.tls(.wrongHost)),
      plain: .document("<html><title>Welcome</title><body>Pay here</body></html>"),
    ])
    let report = bench.refresh(portal, at: 1)
    #expect(report.isOffline && report.feeds.allSatisfy(\.isOffline))
    #expect(try [feedA, feedB, plain].allSatisfy { try bench.state($0).failures == 0 })
    let home = FakeFetcher([feedA: forged, feedB: .document(documentB), plain: forged])
    #expect(!bench.refresh(home, at: 2).isOffline)
    #expect(try bench.state(feedA).failures == 1)
  }

  @Test("feeds that are refused as private are told so, each for itself, and not as offline")
  func refusedAsPrivate() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let refused = FakeAnswer.failed(.privateNetwork)
    let report = bench.refresh(FakeFetcher([feedA: refused, feedB: refused]), at: 5)
    #expect(!report.isOffline && report.outcome == .failed && report.failed == 2)
    #expect(report.feeds.allSatisfy { !$0.isOffline && $0.error != nil })
    #expect(try bench.state(feedA).lastError == "\(FetchError.privateNetwork)")
  }

  @Test("offline, what files have to say is stored all the same")
  func offlineWithFiles() throws {
    let file = "file:///feeds/b.xml"
    let feedC = "https://c.example/feed"
    let bench = try RefreshBench(subscriptions: [feedA, file, feedC])
    let error = FakeAnswer.failed(.nameNotResolved(host: "x"))
    let fetcher = FakeFetcher([feedA: error, file: .document(documentB), feedC: error])
    let report = bench.refresh(fetcher, at: 5)
    #expect(report.isOffline && report.outcome == .newData)
    #expect(report.feeds.map(\.isOffline) == [true, false, true])
    #expect(try bench.titles() == ["three"])
    var offline = FeedState()
    offline.unreachedSince = hour(5)
    #expect(try bench.state(feedA) == offline && bench.state(feedC) == offline)
    #expect(try bench.state(file).lastOutcome == .newData)
  }

  @Test("an interrupted run stores what it has; who was not asked comes first next time")
  func interrupted() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let answers: [String: FakeAnswer] = [
      feedA: .document(documentA), feedB: .document(documentB),
    ]
    let report = bench.refresh(FakeFetcher(answers, cancelsAfter: 1), at: 5)
    #expect(report.wasInterrupted)
    #expect(report.outcome == .newData)
    #expect(report.asked == 1)
    #expect(try bench.titles() == ["two", "one"])
    let next = FakeFetcher(answers)
    _ = bench.refresh(next, at: 6)
    #expect(next.requests.map(\.url) == [feedB, feedA])
  }

  @Test("a transfer that breaks off gives its whole stories, and fails")
  func part() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let text = rssHead("A") + rssItem("two", 2) + "<item><title>on"
    let report = bench.refresh(FakeFetcher([feedA: .part(text, .truncated)]), at: 5)
    #expect(report.feeds.map(\.outcome) == [.failed])
    #expect(report.outcome == .newData)
    #expect(report.new == 1)
    #expect(try bench.titles() == ["two"])
    #expect(try bench.state(feedA).validators == nil)
    let whole = bench.refresh(FakeFetcher([feedA: .document(documentA)]), at: 6)
    #expect(whole.stored == 1)
  }

  @Test("a story that came with a transfer that broke off has met its feed: a change is an edit")
  func editAfterPart() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    func text(_ words: String) -> String {
      rssHead("A")
        + rssItem("two", 2).replacing(
          "</item>",
          with: "<description>\(words)</description></item>",
        )
    }
    _ = bench.refresh(FakeFetcher([feedA: .part(text("First.") + "<item>", .truncated)]), at: 5)
    let end = "</channel></rss>"
    let edited = bench.refresh(FakeFetcher([feedA: .document(text("Second.") + end)]), at: 7)
    #expect(edited.stored == 0)
    #expect(try bench.store.read().items.item(at: 0).changes.count == 1)
  }

  @Test(
    "a document whose root is closed is whole, however its transfer ended",
    arguments: [
      FetchError.truncated, .undecodableBody, .stalled(.seconds(20)), .tooSlow(.seconds(20)),
      .transferTimeout(.seconds(60)),
    ],
  )
  func whole(_ error: FetchError) throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let report = bench.refresh(FakeFetcher([feedA: .part(documentA, error)]), at: 5)
    #expect(report.feeds.map(\.outcome) == [.newData] && report.feeds[0].error == nil)
    #expect(
      report.feeds[0].notes.contains(
        "the server did not end its answer as announced; the document is whole"
      )
    )
    let state = try bench.state(feedA)
    #expect(state.failures == 0 && !state.isCutOff && state.bodyDigest != nil)
    let again = bench.refresh(FakeFetcher([feedA: .part(documentA, error)]), at: 6)
    #expect(again.feeds.map(\.outcome) == [.noData])
  }

  @Test("a document that is refused for its size, or not awaited, is not taken for whole")
  func refused() throws {
    for error in [FetchError.bodyTooLarge(maximumBytes: 10), .deadline, .cancelled] {
      let bench = try RefreshBench(subscriptions: [feedA])
      let report = bench.refresh(FakeFetcher([feedA: .part(documentA, error)]), at: 5)
      #expect(report.feeds.first?.outcome != .newData)
    }
  }

  @Test("a document that is cut off leaves no validators")
  func cutOff() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let text = rssHead("A") + rssItem("two", 2) + "<item><title>on"
    let report = bench.refresh(FakeFetcher([feedA: .document(text, etag: "x")]), at: 5)
    #expect(report.feeds[0].outcome == .newData)
    #expect(!report.feeds[0].notes.isEmpty)
    #expect(try bench.state(feedA).validators == nil)
    #expect(try bench.state(feedA).bodyDigest == nil)
  }

  @Test("a feed whose stories have no dates is asked more rarely the longer it brings none")
  func undated() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let wait = { (time: Double, document: String) -> Double in
      _ = bench.refresh(FakeFetcher([feedA: .document(document)]), at: time)
      let due = try #require(try bench.state(feedA).nextDue)
      return due.timeIntervalSince(hour(time)) / 3600
    }
    let story = { (title: String) in "<item><title>\(title)</title></item>" }
    let document = { (day: Int) in rssHead("A \(day)") + story("one") + "</channel></rss>" }
    #expect(try (1..<1.2).contains(wait(0, document(0))))
    #expect(try (9.6..<10.6).contains(wait(8 * 24, document(8))))
    #expect(try (24..<24.6).contains(wait(40 * 24, document(40))))
    let news = rssHead("A") + story("two") + story("one") + "</channel></rss>"
    #expect(try (1..<1.2).contains(wait(41 * 24, news)))
  }

  @Test("a body that was refused for its size leaves no story")
  func tooLarge() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let text = rssHead("A") + rssItem("two", 2)
    let error = FetchError.bodyTooLarge(maximumBytes: 100)
    let report = bench.refresh(FakeFetcher([feedA: .part(text, error)]), at: 5)
    #expect(report.outcome == .failed)
    #expect(try bench.titles().isEmpty)
  }

  @Test("a URL that stands twice among the subscriptions is one feed")
  func twice() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedA])
    let report = bench.refresh(FakeFetcher([feedA: .document(documentA)]), at: 5)
    #expect(report.new == 2)
    #expect(report.feeds.count == 1)
    #expect(try bench.titles() == ["two", "one"])
  }

  @Test("progress goes from nothing to all")
  func progress() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let seen = Mutex<[RefreshProgress]>([])
    let fetcher = FakeFetcher([feedA: .document(documentA), feedB: .document(documentB)])
    _ = Refresher(store: bench.store, fetcher: fetcher, now: { hour(5) })
      .run(RefreshOptions(command: "refresh")) { step in seen.withLock { $0.append(step) } }
    let steps = seen.withLock { $0 }
    #expect(steps.map(\.done) == [0, 1, 1, 2])
    #expect(steps.map(\.hosts) == [["a.example"], [], ["b.example"], []])
    #expect(steps.map(\.stories) == [0, 2, 2, 3])
    #expect(steps.allSatisfy { $0.total == 2 })
  }

  @Test("a tenth of the deadline is kept for saving, at most a second")
  func deadline() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let fetcher = FakeFetcher([feedA: .document(documentA)])
    let start = ContinuousClock.now
    _ = bench.refresh(fetcher, at: 5) { $0.deadline = .seconds(1000) }
    let deadline = try #require(fetcher.options?.deadline)
    #expect(deadline >= start + .seconds(999))
    #expect(deadline <= ContinuousClock.now + .seconds(999))
    #expect(RefreshRunClock(date: hour(0), deadline: nil).fetchDeadline == nil)
    let short = RefreshRunClock(date: hour(0), deadline: .seconds(5))
    #expect(short.fetchDeadline == short.started + .seconds(4.5))
  }

  // MARK: The store

  @Test("a data file that cannot be read: failed, nobody asked, the file left as it is")
  func unreadable() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    try writeFile(bench.store.dataPath, Array("garbage".utf8))
    let fetcher = FakeFetcher([feedA: .document(documentA)])
    let report = bench.refresh(fetcher, at: 5)
    #expect(report.outcome == .failed)
    #expect(report.storageError?.contains("newsdata.plist") == true)
    #expect(fetcher.requests.isEmpty)
    #expect(try readText(bench.store.dataPath) == "garbage")
  }

  @Test("a store that cannot be saved: failed, nothing counts, and no validators are kept")
  func unsaved() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let path = bench.store.dataPath
    let fetcher = FakeFetcher([feedA: .document(documentA, etag: "x")]) {
      try? writeFile(path, Array("garbage".utf8))
    }
    let report = bench.refresh(fetcher, at: 5)
    #expect(report.outcome == .failed)
    #expect(report.storageError != nil)
    #expect(report.new == 0 && report.stored == 0)
    #expect(report.asked == 1 && report.failed == 0)
    #expect(try readText(path) == "garbage")
  }

  private func fileNumber(_ path: String) throws -> String {
    try Subprocess(["ls", "-i", path]).wait().text
  }
}
