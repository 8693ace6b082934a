import FeedFetching

/// Hands over what some feeds have answered a moment ago, when they were subscribed to, and asks the
/// others: a feed is asked without condition once in its life.
struct AnsweredFetcher: FeedFetcher {
  let base: any FeedFetcher
  /// With their bodies, by the feed's URL.
  let answers: [String: FetchedDocument]

  func fetch<R: BodyReceiver>(_ batch: FetchBatch<R>) {
    var others = batch
    others.requests = []
    for request in batch.requests {
      guard let answer = answers[request.url], let head = answer.head else {
        others.requests.append(request)
        continue
      }
      let target = batch.receiver(request)
      target.begin(head)
      let isTaken = answer.body.withUnsafeBytes { $0.isEmpty || target.receive($0) }
      let stopped = FetchOutcome.failed(.stoppedByReceiver, answer.outcome.response)
      batch.completion(request, isTaken ? answer.outcome : stopped, target)
    }
    base.fetch(others)
  }
}
