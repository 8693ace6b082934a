import FeedFetching
import FeedModel

/// A fetcher that knows what subscribed feeds answered at first.
///
/// A feed without validators whose first answer waits is asked with that answer's validators, and
/// at 304 the answer is handed over as if it had come now. Answers of this very process are handed
/// over without asking again.
struct FirstAnswerFetcher: FeedFetcher {
  let base: any FeedFetcher
  let answers: FirstAnswers
  /// The answers that came in this process, by the feed's URL.
  let fresh: [String: FirstAnswer]

  func fetch<R: BodyReceiver>(
    _ requests: [FetchRequest],
    options: FetchOptions,
    cancellation: FetchCancellation,
    receiver: @escaping @Sendable (FetchRequest) -> R,
    completion: @escaping @Sendable (FetchRequest, FetchOutcome, R) -> Void,
  ) {
    let (known, others) = split(requests)
    for request in known {
      guard let answer = fresh[request.url] else { continue }
      let target = receiver(request)
      let response = FetchResponse(status: 200, url: answer.head.url)
      completion(request, Self.replay(answer, response, to: target), target)
    }
    base.fetch(
      others.map(conditional),
      options: options,
      cancellation: cancellation,
      receiver: receiver,
      completion: { request, outcome, target in
        completion(request, self.completed(request, outcome, target), target)
      },
    )
  }

  private func split(_ requests: [FetchRequest]) -> ([FetchRequest], [FetchRequest]) {
    guard !fresh.isEmpty else { return ([], requests) }
    let known = requests.filter { fresh[$0.url] != nil }
    return (known, requests.filter { fresh[$0.url] == nil })
  }

  private func conditional(_ request: FetchRequest) -> FetchRequest {
    guard request.validators == nil, let answer = answers.answer(of: request.url) else {
      return request
    }
    var request = request
    request.validators = answer.validators
    return request
  }

  /// A 304 to the validators of a first answer means that answer.
  private func completed(
    _ request: FetchRequest,
    _ outcome: FetchOutcome,
    _ target: some BodyReceiver,
  ) -> FetchOutcome {
    guard case .notModified(let response) = outcome,
      let answer = answers.answer(of: request.url), answer.validators == request.validators
    else { return outcome }
    return Self.replay(answer, response, to: target)
  }

  private static func replay(
    _ answer: FirstAnswer,
    _ response: FetchResponse,
    to target: some BodyReceiver,
  ) -> FetchOutcome {
    var response = response
    response.status = 200
    response.validators = response.validators ?? answer.validators
    response.contentType = answer.head.contentType
    response.charset = answer.head.charset
    response.bytes = answer.body.count
    target.begin(answer.head)
    let isTaken = answer.body.withUnsafeBytes { $0.isEmpty || target.receive($0) }
    return isTaken ? .content(response) : .failed(.stoppedByReceiver, response)
  }
}
