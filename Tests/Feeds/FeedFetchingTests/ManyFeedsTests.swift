import System
import TestSupport
import Testing

@testable import FeedFetching

@Suite("Many feeds at once, politely")
struct ManyFeedsTests {
  static func requests(_ count: Int, _ url: (Int) -> String) -> [FetchRequest] {
    (0..<count).map { FetchRequest(url: url($0)) }
  }

  @Test("no host sees more than four connections", arguments: [1, 2, 3, 4])
  func perHost(_ workers: Int) throws {
    let server = try FaultyServer { _ in .response(body: smallFeed).keptAlive }
    let fetched = fetch(
      Self.requests(60) { server.url("/\($0)") },
      options: .quick.with { $0.workers = workers },
    )
    #expect(fetched.map(\.words) == Array(repeating: "content", count: 60))
    #expect(server.requests.count == 60)
    #expect(server.mostConnections <= 4)
  }

  @Test("servers that let feeds wait do not keep the others from being asked", arguments: [1, 2])
  func slowServers(_ workers: Int) throws {
    let slow = try FaultyServer { _ in .head(then: [.drip([0x20], every: .milliseconds(100))]) }
    let cancellation = FetchCancellation()
    let asked = Monitor(0)
    let good = try FaultyServer { _ in
      asked.change { $0 += 1 }
      if asked.change({ $0 }) == 10 { cancellation.event?.happen() }
      return .response(body: smallFeed)
    }
    let options = FetchOptions.quick.with { options in
      options.workers = workers
      options.maximumTransfers = 8
      options.slowTime = .milliseconds(100)
      // Only their slowness is to take their places from them.
      options.stallTimeout = .seconds(3_600)
      options.transferTimeout = .seconds(3_600)
      options.deadline = .now + .seconds(60)
    }
    let fetched = fetch(
      Self.requests(20) { "http://slow\($0).localhost:\(slow.port)/" }
        + Self.requests(10) { "http://good\($0).localhost:\(good.port)/" },
      options: options,
      cancellation: cancellation,
    )
    #expect(good.requests.count == 10)
    #expect(fetched[..<20].allSatisfy { $0.error == .cancelled })
  }

  @Test("four transfers of a host do run at once")
  func fourAtOnce() throws {
    // Nobody is answered before four have asked: fewer at once would never end.
    let arrived = Monitor(0)
    let server = try FaultyServer { _ in
      FaultyAnswer(
        [
          .run {
            arrived.change { $0 += 1 }
            arrived.wait { $0 >= 4 }
          }
        ] + FaultyAnswer.response(body: smallFeed).steps
      )
    }
    let fetched = fetch(Self.requests(4) { server.url("/\($0)") })
    #expect(fetched.map(\.words) == Array(repeating: "content", count: 4))
  }

  @Test("a server has the next request while the body before it is parsed")
  func nextRequest() throws {
    let server = try FaultyServer { _ in .response(body: smallFeed).keptAlive }
    var options = FetchOptions.quick
    (options.workers, options.maximumTransfersPerHost) = (1, 1)
    let completed = Monitor(0)
    SourceFetcher().fetch(
      Self.requests(3) { server.url("/\($0)") },
      options: options,
      cancellation: FetchCancellation(),
      completion: { _, _, _ in
        // A request made only after this would wait for ever.
        completed.change { $0 += 1 }
        server.waitForRequests(min(completed.change { $0 } + 1, 3))
      },
    )
    #expect(completed.change { $0 } == 3)
  }

  @Test("thirty-two transfers run at once, and no more")
  func total() throws {
    // The requests that have come, those that are being answered, and the most of those at once.
    let requests = Monitor((come: 0, open: 0, most: 0))
    let server = try FaultyServer { _ in
      FaultyAnswer(
        [
          .run {
            requests.change { $0 = ($0.come + 1, $0.open + 1, max($0.most, $0.open + 1)) }
            requests.wait { $0.come >= 32 }
            requests.change { $0.open -= 1 }
          }
        ] + FaultyAnswer.response(body: smallFeed).steps
      )
    }
    let fetched = fetch(Self.requests(64) { "http://h\($0).localhost:\(server.port)/" })
    #expect(fetched.map(\.words) == Array(repeating: "content", count: 64))
    #expect(requests.change { $0.most } == 32)
  }

  @Test("two bodies are taken in at the same time, so that parsing keeps two cores busy")
  func parallelReceivers() throws {
    let server = try FaultyServer { _ in .response(body: smallFeed) }
    // Neither goes on before the other has begun: one at a time would never end.
    let begun = Monitor(0)
    let fetched = fetch(
      Self.requests(2) { "http://h\($0).localhost:\(server.port)/" },
      options: .quick.with { $0.workers = 2 },
      receiver: {
        RecordingReceiver(onBegin: {
          begun.change { $0 += 1 }
          begun.wait { $0 >= 2 }
        })
      },
    )
    #expect(fetched.map(\.words) == ["content", "content"])
  }

  @Test("connections are used again")
  func reuse() throws {
    let nginx = try Nginx()
    try nginx.serve(smallFeed, as: "feed.xml")
    _ = fetch(Self.requests(100) { nginx.url("/feed.xml?\($0)") })
    let log = try nginx.stopAndReadLog()
    #expect(log.count == 100)
    #expect(Set(log.map(\.connection)).count <= 4)
  }

  @Test("a host is asked in the order given")
  func order() throws {
    let server = try FaultyServer { _ in .response(body: smallFeed).keptAlive }
    let options = FetchOptions.quick.with { $0.maximumTransfersPerHost = 1 }
    _ = fetch(Self.requests(20) { server.url("/\($0)") }, options: options)
    #expect(server.requests.map(\.path) == (0..<20).map { "/\($0)" })
  }

  @Test("Retry-After ends its server's queue, and no other's", arguments: [403, 429, 502, 503])
  func busy(_ status: Int) throws {
    let busy = try FaultyServer { _ in
      .response(status: "\(status) Busy", headers: ["Retry-After: 120"], body: "later")
    }
    let good = try FaultyServer { _ in .response(body: smallFeed) }
    let options = FetchOptions.quick.with { $0.maximumTransfersPerHost = 1 }
    let requests =
      Self.requests(5) { busy.url("/\($0)") } + Self.requests(5) { good.url("/\($0)") }
    let fetched = fetch(requests, options: options)
    #expect(busy.requests.count == 1)
    #expect(fetched[0].error == .status(status))
    #expect(fetched[0].outcome.response?.retryAfter == .delay(120))
    let unasked = FetchError.hostBusy(status: status, retryAfter: .delay(120))
    #expect(fetched[1..<5].map(\.error) == Array(repeating: unasked, count: 4))
    #expect(fetched[1].words == "not asked, because its server answered \(status) to another feed")
    #expect(fetched[1].error?.isUnasked == true && fetched[0].error?.isUnasked == false)
    #expect(fetched[5...].map(\.words) == Array(repeating: "content", count: 5))
  }

  @Test("redirects do not lead around the limits")
  func redirectedToOneHost() throws {
    let target = try FaultyServer { _ in .response(body: smallFeed).keptAlive }
    let server = try FaultyServer { request in .redirect(302, to: target.url(request.path)) }
    let fetched = fetch(
      Self.requests(40) { "http://h\($0).localhost:\(server.port)/\($0)" }
    )
    #expect(fetched.map(\.words) == Array(repeating: "content", count: 40))
    #expect(target.mostConnections <= 4)
  }

  @Test("a 503 that does not say until when ends nothing")
  func overloaded() throws {
    let server = try FaultyServer { _ in .response(status: "503 Busy", body: "later") }
    let fetched = fetch(Self.requests(5) { server.url("/\($0)") })
    #expect(server.requests.count == 5)
    #expect(fetched.map(\.error) == Array(repeating: .status(503), count: 5))
  }

  @Test("a server that is held is not asked, nor redirected to")
  func held() throws {
    let target = try FaultyServer { _ in .response(body: smallFeed) }
    let server = try FaultyServer { request in .redirect(302, to: target.url(request.path)) }
    let held = FetchError.hostBusy(status: 429, retryAfter: .delay(9))
    let options = FetchOptions.quick.with { options in
      options.stoppedServers = ["http://127.0.0.1:\(target.port)": held]
    }
    let fetched = fetch(
      [FetchRequest(url: server.url("/a")), FetchRequest(url: target.url("/b"))],
      options: options,
    )
    #expect(fetched.map(\.error) == [held, held])
    #expect(fetched[0].outcome.response?.url == target.url("/a"))
    #expect(target.requests.isEmpty)
  }

  @Test("redirects to a host that is busy end too")
  func redirectedToBusyHost() throws {
    let target = try FaultyServer { _ in .response(status: "429 Busy", body: "later") }
    let server = try FaultyServer { request in .redirect(302, to: target.url(request.path)) }
    let options = FetchOptions.quick.with { options in
      options.maximumTransfersPerHost = 1
      options.workers = 1
    }
    let fetched = fetch(Self.requests(3) { server.url("/\($0)") }, options: options)
    #expect(target.requests.count == 1)
    #expect(fetched.map { $0.error?.retryAfter } == [nil, nil, nil])
    #expect(fetched.filter { $0.error == .hostBusy(status: 429, retryAfter: nil) }.count == 2)
  }

  @Test("nginx's own limit is understood")
  func limitRequests() throws {
    let nginx = try Nginx(
      site: """
        location = /limited.xml { limit_req zone=one; limit_req_status 429; }
        """,
      http: "limit_req_zone $binary_remote_addr zone=one:1m rate=1r/m;",
    )
    try nginx.serve(smallFeed, as: "limited.xml")
    let options = FetchOptions.quick.with { $0.maximumTransfersPerHost = 1 }
    let fetched = fetch(Self.requests(6) { nginx.url("/limited.xml?\($0)") }, options: options)
    let busy = "server answered 429: it is asked too often"
    let unasked = "not asked, because its server answered 429 to another feed"
    #expect(fetched.map(\.words) == ["content", busy] + Array(repeating: unasked, count: 4))
    #expect(try nginx.stopAndReadLog().map(\.status) == [200, 429])
  }

  @Test("five thousand feeds of as many hosts need few descriptors")
  func fiveThousand() throws {
    let nginx = try Nginx()
    try nginx.serve(smallFeed, as: "feed.xml")
    let fetched = fetch(
      Self.requests(5_000) { "http://h\($0).localhost:\(nginx.port)/feed.xml" },
      receiver: { RecordingReceiver(forgets: true) },
    )
    #expect(fetched.allSatisfy { $0.words == "content" })
    #expect(fetched.allSatisfy { $0.bytes == smallFeed.utf8.count })
  }

  @Test(
    "fewer transfers run where there are few descriptors, but always one",
    arguments: [(1 << 20, 32), (256, 32), (128, 14), (40, 2), (20, 1), (0, 1)],
  )
  func descriptors(_ descriptors: Int, _ transfers: Int) {
    #expect(CurlFetcher.transfers(32, descriptors: descriptors) == transfers)
    #expect(CurlFetcher.transfers(2, descriptors: descriptors) == min(transfers, 2))
  }

  @Test("no request at all ends at once")
  func none() {
    #expect(fetch([]).isEmpty)
  }
}
