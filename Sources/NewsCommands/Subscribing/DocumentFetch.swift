import FeedFetching
import FeedModel
import FeedParsing

/// Asks sources once, and parses what comes.
struct DocumentFetch {
  let fetcher: any FeedFetcher
  let options: FetchOptions
  /// Whether the bodies are wanted, too.
  let keepsBodies: Bool

  /// The requests' documents, in their order.
  func documents(
    _ requests: [FetchRequest],
    cancellation: FetchCancellation,
  ) -> [FetchedDocument] {
    let collected = Collected<FetchedDocument>()
    let keepsBodies = keepsBodies
    fetcher.fetch(
      requests.enumerated().map { place, request in
        var request = request
        request.index = place
        return request
      },
      options: options,
      cancellation: cancellation,
      receiver: { _ in DocumentReceiver(keepsBody: keepsBodies) },
      completion: { request, outcome, receiver in
        collected.add(receiver.document(request.url, outcome), at: request.index)
      },
    )
    return collected.inOrder
  }
}
