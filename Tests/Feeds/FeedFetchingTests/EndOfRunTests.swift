import Synchronization
import System
import TestSupport
import Testing

@testable import FeedFetching

@Suite("A run ends when it has to")
struct EndOfRunTests {
  /// Starts a server that answers `/quick`; every other path hangs in its body.
  static func server() throws -> FaultyServer {
    try FaultyServer { request in
      request.path == "/quick"
        ? .response(body: smallFeed)
        : .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<rss>", then: [.hang])
    }
  }

  @Test("at the deadline what has arrived is kept, and the rest has failed")
  func deadline() throws {
    let server = try Self.server()
    let urls = ["/quick"] + (0..<60).map { "/slow\($0)" }
    let fetched = fetch(
      urls.map { FetchRequest(url: server.url($0)) },
      options: .quick.with { $0.deadline = .now + .seconds(2) },
    )
    #expect(fetched.map(\.words) == ["content"] + late(4) + left(56))
    #expect(fetched[1...].filter { $0.body == "<rss>" && $0.response?.bytes == 5 }.count == 4)
    #expect(fetched[1...].filter { $0.response == nil }.count == 56)
  }

  @Test("after the last answer of a thread there is an occasion to pass it on")
  func occasion() throws {
    let server = try Self.server()
    let events = Mutex<[String]>([])
    SourceFetcher().fetch(
      [FetchRequest(url: server.url("/quick"))],
      options: .quick,
      cancellation: FetchCancellation(),
      beforeWaiting: { events.withLock { $0.append("wait") } },
      completion: { _, _, _ in events.withLock { $0.append("answer") } },
    )
    #expect(events.withLock { $0.suffix(2) } == ["answer", "wait"])
  }

  @Test("a flood does not outlive the deadline")
  func flood() throws {
    let server = try FaultyServer(["/": .head(then: [.flood(Array("spam ".utf8))])])
    let fetched = fetch(
      [FetchRequest(url: server.url("/"))],
      options: .quick.with { options in
        options.deadline = .now + .milliseconds(200)
        options.maximumBytes = .max
      },
      receiver: { RecordingReceiver(forgets: true) },
    )
    #expect(fetched.map(\.words) == late(1))
  }

  @Test("a deadline that has passed asks nobody")
  func passed() throws {
    let server = try Self.server()
    let fetched = fetch(
      (0..<40).map { _ in FetchRequest(url: server.url("/quick")) },
      options: .quick.with { $0.deadline = .now },
    )
    #expect(fetched.map(\.words) == late(4) + left(36))
    #expect(server.requests.isEmpty)
  }

  @Test("a cancellation ends everything that has not")
  func cancellation() throws {
    let server = try Self.server()
    let cancellation = FetchCancellation()
    let canceller = try TestThread {
      server.waitForRequests(2)
      cancellation.event?.happen()
    }
    let fetched = fetch(
      [FetchRequest(url: server.url("/a")), FetchRequest(url: server.url("/b"))],
      cancellation: cancellation,
    )
    canceller.join()
    #expect(fetched.map(\.error) == [.cancelled, .cancelled])
    #expect(fetched.map(\.words) == Array(repeating: "stopped before it answered", count: 2))
    #expect(cancellation.isCancelled)
  }

  @Test("a cancellation before the start asks nobody")
  func cancelledBefore() throws {
    let server = try Self.server()
    let cancellation = FetchCancellation()
    try #require(cancellation.event).happen()
    let fetched = fetch([FetchRequest(url: server.url("/quick"))], cancellation: cancellation)
    #expect(fetched.map(\.error) == [.cancelled])
    #expect(server.requests.isEmpty)
  }

  @Test("a worker that is stuck is left behind, and what it does later has no effect")
  func stuckWorker() throws {
    let release = Monitor(false)
    let ended = Monitor(false)
    let outcomes = Mutex<[FetchOutcome]>([])
    let job = FetchJob(FetchRequest(url: "http://a.example/")) { outcome in
      outcomes.withLock { $0.append(outcome) }
    }
    // The worker sits in a call that no time-out ends, as libcurl does when it joins a resolver's
    // thread.
    let worker: @Sendable () -> Void = {
      _ = job.start()
      release.wait { $0 }
      job.begin(ResponseHead(status: 200, url: "http://a.example/"))
      job.complete(.content(FetchResponse(status: 200, url: "http://a.example/")))
      ended.change { $0 = true }
    }
    let options = FetchOptions.quick.with { $0.deadline = .now + .milliseconds(50) }
    let batch = FetchBatch(
      requests: [job.request],
      options: options,
      cancellation: FetchCancellation(),
      body: ReceivedBody.init,
      completion: { _, _, _ in },
    )
    FetchRun([job], of: batch).perform([worker])
    #expect(outcomes.withLock { $0 } == [.failed(.deadline, nil)])
    release.change { $0 = true }
    ended.wait { $0 }
    #expect(outcomes.withLock { $0 } == [.failed(.deadline, nil)])
  }

  @Test("a receiver that has had enough stops its own transfer")
  func receiverStops() throws {
    let server = try FaultyServer(["/": .head(then: [.flood(Array("spam ".utf8))])])
    let fetched = try fetch(server.url("/"), receiver: { RecordingReceiver(appetite: 10_000) })
    #expect(fetched.error == .stoppedByReceiver)
  }

  private func left(_ count: Int) -> [String] {
    Array(repeating: "the deadline came before its turn", count: count)
  }

  private func late(_ count: Int) -> [String] {
    Array(repeating: "not finished before the deadline", count: count)
  }
}
