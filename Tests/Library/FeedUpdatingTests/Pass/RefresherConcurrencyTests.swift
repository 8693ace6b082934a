import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FeedUpdating

private let feedA = "https://a.example/feed"
private let feedB = "https://b.example/feed"

@Suite("Refresher beside other writers")
struct RefresherConcurrencyTests {
  private let document = rss("A", [("two", 2), ("one", 1)])

  @Test("two runs at once: each story is stored once, and is new once")
  func twoRuns() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let document = document
    let fetcher = FakeFetcher([feedA: .document(document)]) {
      let report = bench.refresh(FakeFetcher([feedA: .document(document)]), at: 5)
      #expect(report.new == 2)
    }
    let report = bench.refresh(fetcher, at: 5)
    #expect(report.outcome == .noData)
    #expect(report.new == 0 && report.stored == 0)
    #expect(try bench.titles() == ["two", "one"])
  }

  @Test("what another run has stored in between stays, and so do marks")
  func otherStories() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    _ = bench.refresh(FakeFetcher([feedA: .document(document)]), at: 5)
    let fetcher = FakeFetcher([feedA: .document(rss("A", [("three", 3), ("two", 2)]))]) {
      do {
        try bench.subscribe([feedB])
        let other = FakeFetcher([feedB: .document(rss("B", [("four", 4)]))])
        _ = bench.refresh(other, at: 5) { $0.feeds = [feedB] }
        try bench.store.update { (library) in
          var item = try library.items.item(at: 1)
          item.isRead = true
          var change = LibraryChange()
          change.stories.replaced[1] = item
          return (change, ())
        }
      } catch {
        Issue.record(error)
      }
    }
    let report = bench.refresh(fetcher, at: 6)
    #expect(report.new == 1)
    #expect(try bench.titles() == ["four", "three", "two", "one"])
    #expect(try bench.items().filter(\.isRead).map(\.item.title) == ["two"])
  }

  @Test("a 304 does not bring validators back that were forgotten meanwhile")
  func clearedDuring304() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let answers: [String: FakeAnswer] = [feedA: .document(document, etag: "x")]
    _ = bench.refresh(FakeFetcher(answers), at: 5)
    let clearing = FakeFetcher(answers) {
      #expect(throws: Never.self) { try bench.store.clearStories() }
    }
    #expect(bench.refresh(clearing, at: 6).outcome == .noData)
    #expect(try bench.state(feedA).validators == nil)
    #expect(bench.refresh(FakeFetcher(answers), at: 7).new == 2)
  }

  @Test("nor does a body that was the last one again")
  func clearedDuringSameBody() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    _ = bench.refresh(FakeFetcher([feedA: .document(document)]), at: 5)
    let clearing = FakeFetcher([feedA: .document(document, etag: "x")]) {
      #expect(throws: Never.self) { try bench.store.clearStories() }
    }
    _ = bench.refresh(clearing, at: 6)
    #expect(try bench.state(feedA).validators == nil)
    #expect(bench.refresh(FakeFetcher([feedA: .document(document)]), at: 7).new == 2)
  }

  @Test("a feed that was unsubscribed from meanwhile leaves nothing")
  func unsubscribed() throws {
    let bench = try RefreshBench(subscriptions: [feedA])
    let fetcher = FakeFetcher([feedA: .document(document)]) {
      #expect(throws: Never.self) { try bench.update { $0 = [] } }
    }
    let report = bench.refresh(fetcher, at: 5)
    #expect(report.stored == 0)
    #expect(try bench.titles().isEmpty)
  }

  @Test("many runs at once lose nothing and double nothing")
  func manyRuns() throws {
    let urls = (0..<4).map { "https://\($0).example/feed" }
    let bench = try RefreshBench(subscriptions: urls)
    let counts = Monitor<(new: Int, failures: Int)>((0, 0))
    let threads = try (0..<8).map { number in
      try TestThread {
        for round in 0..<5 {
          // Each thread has stories of its own in every feed, and some that all threads have.
          let stories = (0...round).map { (name: "story-\(number)-\($0)", hour: 2 + $0) }
          let common = (0...round).map { (name: "common-\($0)", hour: 2 + $0) }
          var answers: [String: FakeAnswer] = [:]
          for url in urls {
            let own = stories.map {
              (name: "\($0.name)-of-\(url.utf8.count)-\(url)", hour: $0.hour)
            }
            answers[url] = .document(rss("feed", own + common))
          }
          let report = bench.refresh(FakeFetcher(answers), at: Double(round))
          counts.change { sums in
            sums.new += report.stored
            if report.storageError != nil { sums.failures += 1 }
          }
        }
      }
    }
    for thread in threads { thread.join() }
    let (stored, failures) = counts.change { $0 }
    #expect(failures == 0)
    let items = try bench.items()
    #expect(items.count == 4 * 8 * 5 + 5)
    #expect(stored == items.count)
    #expect(Set(items.map(\.id)).count == items.count)
    #expect(items.filter { $0.item.title.hasPrefix("common") }.allSatisfy { $0.feeds.count == 4 })
    #expect(try bench.store.ledger().count == 40)
  }
}

@Suite("Refresher: subscriptions that move, hosts that are busy")
struct RefresherMoveTests {
  private let document = rss("A", [("two", 2), ("one", 1)])
  private let new = "https://new.example/feed"

  @Test("a moved subscription keeps its place, its stories and their marks")
  func move() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let other = FakeAnswer.document(rss("B", [("three", 3)]))
    _ = bench.refresh(FakeFetcher([feedA: .document(document), feedB: other]), at: 5)
    try bench.store.update { (_) in
      var change = LibraryChange()
      change.stories.adjusted[1] = ItemAdjustment(marks: [.read: true])
      change.stories.adjusted[2] = ItemAdjustment(marks: [.starred: true])
      return (change, ())
    }
    let moved = rss("A", [("four", 4), ("two", 2), ("one", 1)])
    let report = bench.refresh(FakeFetcher([feedA: .moved(to: new, moved), feedB: other]), at: 6)
    #expect(report.feeds.map(\.movedTo) == [new, nil])
    #expect(report.new == 1)
    #expect(try bench.store.read().subscriptions.map(\.url) == [new, feedB])
    #expect(try bench.titles() == ["four", "three", "two", "one"])
    #expect(try bench.items().map(\.feeds) == [[new], [feedB], [new], [new]])
    #expect(try bench.items().map(\.isRead) == [false, false, true, false])
    #expect(try bench.items().map(\.isStarred) == [false, false, false, true])
    #expect(try bench.state(new).formerURLs == [feedA])
    let again = FakeFetcher([new: .document(moved), feedB: other])
    #expect(bench.refresh(again, at: 7).outcome == .noData)
  }

  @Test("a feed that moves to where another one is becomes one with it")
  func moveOnto() throws {
    let bench = try RefreshBench(subscriptions: [feedB])
    try bench.subscribe([feedA]) { $0.cleared = [7] }
    let both: [String: FakeAnswer] = [
      feedA: .moved(to: feedB, document), feedB: .document(document),
    ]
    let report = bench.refresh(FakeFetcher(both), at: 5)
    #expect(report.new == 2)
    #expect(try bench.store.read().subscriptions.map(\.url) == [feedB])
    #expect(try bench.items().map(\.feeds) == [[feedB], [feedB]])
    #expect(try bench.state(feedB).formerURLs == [feedA])
    #expect(try bench.state(feedB).cleared == [7])
  }

  private func busy(_ seconds: Int, at url: String, status: Int = 429) -> FakeAnswer {
    .refused(.status(status), .delay(seconds), at: url)
  }

  @Test("who asks to wait is remembered, and its feeds are left in peace by the next runs")
  func held() throws {
    let other = "https://a.example/other"
    let bench = try RefreshBench(subscriptions: [feedA, other, feedB])
    let skipped = FetchError.hostBusy(status: 429, retryAfter: .delay(7200))
    let first = bench.refresh(
      FakeFetcher([feedA: busy(7200, at: feedA), other: .failed(skipped)]),
      at: 5,
    )
    #expect(first.feeds.prefix(2).allSatisfy { $0.nextTry.map { $0 >= hour(7) } ?? false })
    let server = "https://a.example"
    let hold = RetryTime(server: server, status: 429, since: hour(5), until: hour(7))
    #expect(try bench.store.read().retryTimes == [server: hold])
    #expect(try bench.state(other).lastAsked == nil)
    let second = FakeFetcher([:])
    let report = bench.refresh(second, at: 6)
    #expect(second.requests.map(\.url) == [feedB])
    #expect(report.unasked.map(\.url) == [feedA, other])
    #expect(report.unasked.map(\.retryTime) == [hold, hold])
    let named = FakeFetcher([:])
    _ = bench.refresh(named, at: 6) { $0.feeds = [feedA] }
    #expect(named.requests.isEmpty)
    let third = FakeFetcher([feedA: .document(document)])
    #expect(bench.refresh(third, at: 8).asked == 3)
    #expect(try bench.store.read().retryTimes.isEmpty)
  }

  @Test("a feed of a private host that is to wait waits alone, until it succeeds")
  func heldAlone() throws {
    let (own, neighbour) = ("http://nas:3000/a", "http://nas:3000/b")
    let bench = try RefreshBench(subscriptions: [own, neighbour])
    let busy = FakeAnswer.refusedPrivately(.status(429), .delay(7200))
    let first = FakeFetcher([own: busy, neighbour: .document(document)])
    #expect(bench.refresh(first, at: 5).feeds.map(\.outcome) == [.failed, .newData])
    #expect(try bench.store.read().retryTimes.keys.sorted() == [own])
    let second = FakeFetcher([neighbour: .document(document)])
    let report = bench.refresh(second, at: 6)
    #expect(second.requests.map(\.url) == [neighbour] && report.unasked.map(\.url) == [own])
    #expect(second.options?.stoppedServers.isEmpty == true)
    let third = FakeFetcher([own: .document(document), neighbour: .document(document)])
    #expect(bench.refresh(third, at: 8).asked == 2)
    #expect(try bench.store.read().retryTimes.isEmpty)
  }

  @Test("a success ends the wait, for all of the server's feeds; one from before it does not")
  func success() throws {
    let other = "https://a.example/other"
    let bench = try RefreshBench(subscriptions: [feedA, other])
    let both = FakeFetcher([feedA: .document(document), other: busy(7200, at: other)])
    _ = bench.refresh(both, at: 5)
    #expect(try bench.store.read().retryTimes.count == 1)
    let refused = FakeFetcher([feedA: .failed(.status(500)), other: .failed(.status(500))])
    _ = bench.refresh(refused, at: 5.5) { $0.isForced = true }
    #expect(try bench.store.read().retryTimes.count == 1)
    let insisted = FakeFetcher([feedA: .document(document)])
    _ = bench.refresh(insisted, at: 6) { options in
      options.isForced = true
      options.feeds = [feedA]
    }
    #expect(insisted.requests.count == 1)
    #expect(try bench.store.read().retryTimes.isEmpty)
    #expect(bench.refresh(FakeFetcher([:]), at: 6.1).asked == 2)
  }

  @Test("where a redirect led, the one redirected waits, and not the server's own feeds")
  func heldByRedirect() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    let stranger = busy(7 * 86_400, at: "https://b.example/always-429")
    _ = bench.refresh(FakeFetcher([feedA: stranger, feedB: .document(document)]), at: 5)
    let holds = try bench.store.read().retryTimes
    #expect(holds.mapValues(\.server) == [feedA: "https://b.example"])
    let next = FakeFetcher([feedB: .document(document)])
    let report = bench.refresh(next, at: 6)
    #expect(next.requests.map(\.url) == [feedB])
    #expect(report.unasked.map(\.url) == [feedA])
    // The answer of the server's own feed says nothing about the feed that was redirected.
    #expect(try bench.store.read().retryTimes == holds)
  }

  @Test("a fetch is told whom to leave in peace, and a redirect there makes its feed wait too")
  func toldToTheFetch() throws {
    let bench = try RefreshBench(subscriptions: [feedA, feedB])
    _ = bench.refresh(FakeFetcher([feedB: busy(7200, at: feedB)]), at: 5)
    let unfollowed = FetchError.hostBusy(status: 429, retryAfter: .instant(hour(7)))
    let next = FakeFetcher([feedA: .refused(unfollowed, nil, at: feedB)])
    _ = bench.refresh(next, at: 6)
    #expect(next.options?.stoppedServers == ["https://b.example": unfollowed])
    #expect(try bench.store.read().retryTimes[feedA]?.until == hour(7))
    #expect(try bench.state(feedA).failures == 1)
    let forced = FakeFetcher([:])
    _ = bench.refresh(forced, at: 6.5) { $0.isForced = true }
    #expect(forced.options?.stoppedServers.isEmpty == true)
  }
}
