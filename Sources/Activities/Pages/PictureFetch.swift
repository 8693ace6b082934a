package import FeedFetching
package import FeedModel

package struct PictureFetch: Sendable {
  private let fetcher: any FeedFetcher
  private let options: FetchOptions
  /// The most bytes of a picture; a longer one is not shown.
  package static let maximumBytes = 8 << 20

  package init(_ fetcher: any FeedFetcher, options: FetchOptions) {
    (self.fetcher, self.options) = (fetcher, options)
  }

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
