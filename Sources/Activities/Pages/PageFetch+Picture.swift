package import FeedFetching
package import FeedModel

extension PageFetch {
  /// The most bytes of a picture; a longer one is not shown.
  private static let maximumPictureBytes = 8 << 20

  package func picture(
    _ url: String,
    of story: StoredItem,
    _ cancellation: FetchCancellation,
  ) -> ReceivedBody? {
    var request = FetchRequest(part: url, of: story, subscriptions)
    (request.maximumBytes, request.content) = (Self.maximumPictureBytes, .picture)
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
