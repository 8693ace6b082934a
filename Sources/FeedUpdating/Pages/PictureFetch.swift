package import FeedFetching
package import FeedModel

/// Fetches pictures in the texts of stories.
package struct PictureFetch: Sendable {
  private let fetcher: any FeedFetcher
  private let options: FetchOptions
  /// What is longer is not shown.
  package static let maximumBytes = 8 << 20

  package init(_ fetcher: any FeedFetcher, options: FetchOptions) {
    (self.fetcher, self.options) = (fetcher, options)
  }

  /// A picture of a story; nil where it cannot be had.
  package func picture(
    _ url: String,
    of story: StoredItem,
    _ subscriptions: [Subscription],
    _ cancellation: FetchCancellation,
  ) -> ReceivedBody? {
    var request = FetchRequest(part: url, of: story, subscriptions)
    (request.maximumBytes, request.content) = (Self.maximumBytes, .picture)
    let answers = fetcher.answers(
      to: [request],
      options: options,
      cancellation: cancellation,
      make: { _, outcome, body -> ReceivedBody? in
        guard case .content = outcome, body.count > 0 else { return nil }
        return body
      },
    )
    return answers.first.flatMap { $0 } ?? nil
  }
}
