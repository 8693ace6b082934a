import Testing

@testable import FeedFetching

@Suite("The queue of web requests")
struct TransferQueueTests {
  static func queue(
    _ urls: [String],
    workers: Int = 1,
    total: Int = 32,
    perHost: Int = 4,
  ) throws
    -> TransferQueue
  {
    let entries = try urls.enumerated().map { number, url in
      TransferQueue.Entry(
        job: FetchJob(FetchRequest(url: url, index: number)) { _ in },
        url: try HTTPURL(url),
      )
    }
    let options = FetchOptions.quick.with { options in
      options.maximumTransfers = total
      options.maximumTransfersPerHost = perHost
    }
    return TransferQueue(entries, workers: workers, options: options, mostTransfers: 2 * total)
  }

  static func takeAll(_ queue: TransferQueue, worker: Int = 0) -> [Int] {
    var taken: [Int] = []
    while let entry = queue.take(worker: worker) { taken.append(entry.job.request.index) }
    return taken
  }

  @Test("gives out in order, passing over hosts at their limit")
  func order() throws {
    let queue = try Self.queue(
      ["http://a/0", "http://a/1", "http://b/2", "http://a/3", "http://c/4"],
      perHost: 1,
    )
    #expect(Self.takeAll(queue) == [0, 2, 4])
    queue.leave("a", worker: 0, wasSlow: false)
    #expect(Self.takeAll(queue) == [1])
  }

  @Test("http and https of one host are one host")
  func schemes() throws {
    let queue = try Self.queue(["http://a/0", "https://a/1", "https://A:443/2"], perHost: 1)
    #expect(Self.takeAll(queue) == [0])
  }

  @Test("workers share the limits and what is left")
  func shares() throws {
    let queue = try Self.queue((0..<9).map { "http://a.localhost/\($0)" }, workers: 3)
    #expect(Self.takeAll(queue, worker: 0) == [0, 1])
    #expect(Self.takeAll(queue, worker: 1) == [2])
    #expect(Self.takeAll(queue, worker: 2) == [3])
    let even = try Self.queue((0..<6).map { "http://h\($0)/" }, workers: 2)
    #expect(Self.takeAll(even, worker: 0) == [0, 1, 2])
    #expect(Self.takeAll(even, worker: 1) == [3, 4, 5])
  }

  @Test("a host that has been stopped gives back what waited")
  func stop() throws {
    let queue = try Self.queue(["http://a/0", "http://a/1", "http://b/2", "http://a/3"])
    #expect(queue.take(worker: 0)?.job.request.index == 0)
    let error = FetchError.hostBusy(status: 429, retryAfter: nil)
    let (a, b) = (try Self.chain("http://a/"), try Self.chain("http://b/"))
    #expect(queue.stop(a, because: error).map(\.job.request.index) == [1, 3])
    #expect(queue.stop(a, because: error).isEmpty)
    #expect(queue.whyStopped(a) == error)
    #expect(queue.whyStopped(b) == nil)
    #expect(Self.takeAll(queue) == [2])
  }

  private static func chain(_ url: String, to other: String? = nil) throws -> RedirectChain {
    var chain = RedirectChain(url: try HTTPURL(url), maximum: 10)
    if let other { try chain.follow(status: 302, location: other) }
    return chain
  }

  @Test("a server is a scheme, a host and a port")
  func stopServer() throws {
    let queue = try Self.queue(["http://a/0", "https://a/1", "http://a:81/2", "http://a/3"])
    let error = FetchError.hostBusy(status: 503, retryAfter: .delay(9))
    #expect(queue.stop(try Self.chain("http://a/"), because: error).count == 2)
    #expect(queue.whyStopped(try Self.chain("https://a/")) == nil)
    #expect(Self.takeAll(queue) == [1, 2])
  }

  @Test("where a redirect led, a server is busy for those of the same origin alone")
  func stopRedirected() throws {
    let queue = try Self.queue(["http://a/0", "http://b/1"])
    let error = FetchError.hostBusy(status: 429, retryAfter: nil)
    #expect(queue.stop(try Self.chain("http://b/", to: "http://a/"), because: error).isEmpty)
    #expect(queue.whyStopped(try Self.chain("http://b/", to: "http://a/x")) == error)
    #expect(queue.whyStopped(try Self.chain("http://c/", to: "http://a/")) == nil)
    #expect(queue.whyStopped(try Self.chain("http://a/")) == nil)
    #expect(Self.takeAll(queue) == [0, 1])
  }

  @Test("a redirect waits for a place at its new host")
  func redirects() throws {
    let queue = try Self.queue(["http://a/0", "http://b/1"], perHost: 1)
    #expect(Self.takeAll(queue) == [0, 1])
    queue.leave("a", worker: 0, wasSlow: false)
    #expect(!queue.enter(try HTTPURL("http://b/"), worker: 0))
    queue.leave("b", worker: 0, wasSlow: false)
    #expect(queue.enter(try HTTPURL("http://b/"), worker: 0))
    #expect(queue.enter(try HTTPURL("http://c/"), worker: 0))
  }

  @Test("slow hosts hold half of the places, and no more of them is begun then")
  func slow() throws {
    let hosts = ["a", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]
    let queue = try Self.queue(
      hosts.enumerated().map { "http://\($1)/\($0)" },
      total: 4,
      perHost: 1,
    )
    #expect(Self.takeAll(queue) == [0, 2, 3, 4])
    for host in ["a", "b"] { queue.noteSlow(host, worker: 0) }
    #expect(Self.takeAll(queue) == [])
    queue.noteSlow("c", worker: 0)
    #expect(Self.takeAll(queue) == [5])
    queue.leave("a", worker: 0, wasSlow: true)
    // Its second feed waits as long as others hold the places for slow feeds.
    #expect(Self.takeAll(queue) == [])
    queue.leave("d", worker: 0, wasSlow: false)
    #expect(Self.takeAll(queue) == [6])
    for host in ["e", "f"] { queue.noteSlow(host, worker: 0) }
    #expect(Self.takeAll(queue) == [7, 8])
    for host in ["g", "h"] { queue.noteSlow(host, worker: 0) }
    #expect(Self.takeAll(queue) == [9, 10])
    queue.noteSlow("i", worker: 0)
    #expect(Self.takeAll(queue) == [])
    for host in ["b", "c", "e", "f", "g", "h"] { queue.leave(host, worker: 0, wasSlow: true) }
    #expect(Self.takeAll(queue) == [1, 11])
  }

  @Test("a host of the internet has two at once, one of this machine or its network four")
  func internet() throws {
    for (host, count) in [
      ("a.example", 2), ("8.8.8.8", 2), ("[2600::1]", 2), ("localhost", 4), ("127.0.0.1", 4),
      ("10.1.2.3", 4), ("[::1]:81", 4), ("nas.local", 4),
    ] {
      let queue = try Self.queue((0..<9).map { "http://\(host)/\($0)" })
      #expect(Self.takeAll(queue).count == count, "\(host)")
    }
  }
}
