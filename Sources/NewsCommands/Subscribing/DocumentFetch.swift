import FeedFetching
import FeedModel
import FeedParsing

/// Asks sources once, and parses what comes.
struct DocumentFetch {
  let fetcher: any FeedFetcher
  let options: FetchOptions
  /// Whether the bodies are wanted, too.
  let keepsBodies: Bool

  /// The sources' documents, in the order of `urls`.
  func documents(_ urls: [String], cancellation: FetchCancellation) -> [FetchedDocument] {
    let collected = Collected<FetchedDocument>()
    let keepsBodies = keepsBodies
    fetcher.fetch(
      urls.enumerated().map { FetchRequest(url: $1, index: $0) },
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
