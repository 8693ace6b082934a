import FeedFetching
import FeedModel
import Synchronization
import System

enum FakeAnswer: Sendable {
  /// A 200 with this body, or 304 to a client that has this tag.
  case document(String, etag: String? = nil)
  case failed(FetchError)
  /// A refusal from this URL that says when to come again.
  case refused(FetchError, RetryAfter?, at: String)
  /// A refusal by a host in a private network.
  case refusedPrivately(FetchError, RetryAfter?)
  /// A part of a body, and then a failure.
  case part(String, FetchError)
  case moved(to: String, String)
}

final class FakeFetcher: FeedFetcher {
  private let answers: Mutex<[String: FakeAnswer]>
  private let asked = Mutex<[FetchRequest]>([])
  private let usedOptions = Mutex<FetchOptions?>(nil)
  /// Runs after the last answer, before the fetch returns, as another process might.
  private let meanwhile: @Sendable () -> Void
  /// Runs before each request, with the number of those answered, and at the end.
  private let between: @Sendable (Int) -> Void
  private let cancelsAfter: Int

  init(
    _ answers: [String: FakeAnswer],
    cancelsAfter: Int = .max,
    meanwhile: @escaping @Sendable () -> Void = {},
    between: @escaping @Sendable (Int) -> Void = { _ in },
  ) {
    self.answers = Mutex(answers)
    self.cancelsAfter = cancelsAfter
    self.meanwhile = meanwhile
    self.between = between
  }

  var requests: [FetchRequest] { asked.withLock { $0 } }
  var options: FetchOptions? { usedOptions.withLock { $0 } }

  func fetch(_ batch: FetchBatch) {
    usedOptions.withLock { $0 = batch.options }
    asked.withLock { $0 += batch.requests }
    for (number, request) in batch.requests.enumerated() {
      between(number)
      if number == cancelsAfter { batch.cancellation.event?.happen() }
      let body = batch.body(request)
      let outcome =
        batch.cancellation.isCancelled ? .failed(.cancelled, nil) : answer(request, to: body)
      batch.completion(request, outcome, body)
    }
    between(batch.requests.count)
    meanwhile()
  }

  private func answer(_ request: FetchRequest, to body: ReceivedBody) -> FetchOutcome {
    switch answers.withLock({ $0[request.url] }) {
    case nil: return .failed(.status(404), FetchResponse(status: 404, url: request.url))
    case .failed(let error): return .failed(error, nil)
    case .refused(let error, let retryAfter, let url):
      var response = FetchResponse(status: error.status, url: url)
      response.retryAfter = retryAfter
      return .failed(error, response)
    case .refusedPrivately(let error, let retryAfter):
      var response = FetchResponse(status: error.status, url: request.url)
      (response.retryAfter, response.speaksForOneFeed) = (retryAfter, true)
      return .failed(error, response)
    case .part(let text, let error):
      _ = send(text, from: request.url, to: body)
      return .failed(error, FetchResponse(status: 200, url: request.url))
    case .moved(let url, let text):
      return send(text, from: url, to: body) { $0.permanentURL = url }
    case .document(let text, let etag):
      if let etag, request.validators?.etag == etag { return notModified(request) }
      return send(text, from: request.url, to: body) { response in
        guard let etag else { return }
        response.validators = CacheValidators(etag: etag, lastModified: nil, url: request.url)
      }
    }
  }

  private func notModified(_ request: FetchRequest) -> FetchOutcome {
    var response = FetchResponse(status: 304, url: request.url)
    response.validators = request.validators
    return .notModified(response)
  }

  private func send(
    _ text: String,
    from url: String,
    to body: ReceivedBody,
    _ change: (inout FetchResponse) -> Void = { _ in },
  ) -> FetchOutcome {
    var response = FetchResponse(status: 200, url: url)
    response.bytes = text.utf8.count
    change(&response)
    body.begin(ResponseHead(status: 200, url: url))
    let isTaken = Array(text.utf8).withUnsafeBytes { body.receive($0) }
    return isTaken ? .content(response) : .failed(.stoppedByReceiver, response)
  }
}

/// Returns an RSS document with stories of these names and hours, newest first.
func rss(_ title: String, _ stories: [(name: String, hour: Int)]) -> String {
  rssHead(title) + stories.map { rssItem($0.name, $0.hour) }.joined() + "</channel></rss>"
}

func rssHead(_ title: String) -> String {
  "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(title)</title>"
}

func rssItem(_ name: String, _ hour: Int) -> String {
  """
  <item><title>\(name)</title><link>https://stories.example/\(name)</link>\
  <guid isPermaLink="false">\(name)</guid>\
  <pubDate>Sat, 01 Jun 2024 \(hour < 10 ? "0" : "")\(hour):00:00 GMT</pubDate></item>
  """
}
