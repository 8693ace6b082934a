import FeedModel
import Synchronization

@testable import FeedFetching

final class RecordingReceiver: @unchecked Sendable {
  private(set) var heads: [ResponseHead] = []
  private(set) var body: [UInt8] = []
  private(set) var bytes = 0
  /// The number of bytes beyond which the body is refused.
  private let appetite: Int
  private let forgets: Bool
  private let onBegin: () -> Void

  init(appetite: Int = .max, forgets: Bool = false, onBegin: @escaping () -> Void = {}) {
    self.appetite = appetite
    self.forgets = forgets
    self.onBegin = onBegin
  }

  var receivedBody: ReceivedBody { ReceivedBody(isWanted: begin, into: receive) }

  private func begin(_ head: ResponseHead) -> Bool {
    heads.append(head)
    (body, bytes) = ([], 0)
    onBegin()
    return true
  }

  private func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    bytes += piece.count
    if !forgets { body += piece }
    return bytes <= appetite
  }
}

struct Fetched: Sendable {
  var request: FetchRequest
  var outcome: FetchOutcome
  var heads: [ResponseHead]
  var body: String
  var bytes: Int

  var response: FetchResponse? { outcome.response }
  var error: FetchError? { outcome.error }
  var words: String {
    switch outcome {
    case .content: "content"
    case .notModified: "not modified"
    case .failed(let error, _): "\(error)"
    }
  }
}

extension FetchOptions {
  /// Limits that wait for nothing that a loopback server could not do at once.
  static var quick: FetchOptions {
    var options = FetchOptions()
    options.userAgent = "news/test (+https://example.org/)"
    return options
  }

  func with(_ change: (inout FetchOptions) -> Void) -> FetchOptions {
    var copy = self
    change(&copy)
    return copy
  }
}

func fetch(
  _ requests: [FetchRequest],
  with fetcher: some FeedFetcher = SourceFetcher(),
  options: FetchOptions = .quick,
  cancellation: FetchCancellation = FetchCancellation(),
  receiver: @escaping @Sendable () -> RecordingReceiver = { RecordingReceiver() },
) -> [Fetched] {
  let results = Mutex<[(Int, Fetched)]>([])
  let receivers = requests.map { _ in receiver() }
  let numbered = requests.enumerated().map { number, request in
    var request = request
    request.index = number
    return request
  }
  fetcher.fetch(
    numbered,
    options: options,
    cancellation: cancellation,
    body: { receivers[$0.index].receivedBody },
    completion: { request, outcome, _ in
      let receiver = receivers[request.index]
      let fetched = Fetched(
        request: request,
        outcome: outcome,
        heads: receiver.heads,
        body: String(decoding: receiver.body, as: UTF8.self),
        bytes: receiver.bytes,
      )
      results.withLock { $0.append((request.index, fetched)) }
    },
  )
  return results.withLock { results in results.sorted { $0.0 < $1.0 }.map(\.1) }
}

func fetch(
  _ url: String,
  validators: CacheValidators? = nil,
  options: FetchOptions = .quick,
  receiver: @escaping @Sendable () -> RecordingReceiver = { RecordingReceiver() },
) throws -> Fetched {
  let all = fetch(
    [FetchRequest(url: url, validators: validators)],
    options: options,
    receiver: receiver,
  )
  guard all.count == 1 else { throw WrongCount(count: all.count) }
  return all[0]
}

extension FetchJob {
  convenience init(
    _ request: FetchRequest,
    completion: @escaping @Sendable (FetchOutcome) -> Void,
  ) {
    let batch = FetchBatch(
      requests: [request],
      options: .quick,
      cancellation: FetchCancellation(),
      body: { _ in ReceivedBody() },
      completion: { _, outcome, _ in completion(outcome) },
    )
    self.init(request, of: batch)
  }
}

struct WrongCount: Error {
  var count: Int
}

let smallFeed = """
  <?xml version="1.0"?>
  <rss version="2.0"><channel><title>t</title>\
  <item><title>ok</title><guid>1</guid></item></channel></rss>
  """
