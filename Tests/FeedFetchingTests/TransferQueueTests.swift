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
        job: FetchJob(
          FetchRequest(url: url, index: number),
          receiver: { _ in RecordingReceiver() },
          completion: { _, _, _ in },
        ),
        url: try HTTPURL(url),
      )
    }
    let options = FetchOptions.quick.with { options in
      options.maximumTransfers = total
      options.maximumTransfersPerHost = perHost
    }
    return TransferQueue(entries, workers: workers, options: options)
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
    queue.leave("a", worker: 0)
    #expect(Self.takeAll(queue) == [1])
  }

  @Test("http and https of one host are one host")
  func schemes() throws {
    let queue = try Self.queue(["http://a/0", "https://a/1", "https://A:443/2"], perHost: 1)
    #expect(Self.takeAll(queue) == [0])
  }

  @Test("workers share the limits and what is left")
  func shares() throws {
    let queue = try Self.queue((0..<9).map { "http://a/\($0)" }, workers: 3)
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
    #expect(queue.stop("a", because: error).map(\.job.request.index) == [1, 3])
    #expect(queue.stop("a", because: error).isEmpty)
    #expect(queue.whyStopped("a") == error)
    #expect(queue.whyStopped("b") == nil)
    #expect(Self.takeAll(queue) == [2])
  }

  @Test("a redirect waits for a place at its new host")
  func redirects() throws {
    let queue = try Self.queue(["http://a/0", "http://b/1"], perHost: 1)
    #expect(Self.takeAll(queue) == [0, 1])
    queue.leave("a", worker: 0)
    #expect(!queue.enter("b", worker: 0))
    queue.leave("b", worker: 0)
    #expect(queue.enter("b", worker: 0))
    #expect(queue.enter("c", worker: 0))
  }
}
