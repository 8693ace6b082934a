package import FeedFetching
import FeedModel
import FeedParsing
package import FeedReading

/// Reads bodies as feeds' documents, once they have ended.
package struct DocumentReader: Sendable {
  private let reading: DocumentReading

  package init(_ reading: DocumentReading) {
    self.reading = reading
  }

  package func read(
    _ request: FetchRequest,
    _ outcome: FetchOutcome,
    _ body: ReceivedBody,
  ) -> FetchedDocument {
    var document = FetchedDocument(request.url, outcome)
    switch outcome {
    case .notModified: break
    case .content:
      let read = read(body)
      document = FetchedDocument(
        request.url,
        outcome,
        from: body.head?.url,
        feed: read.feed,
        digest: read.digest,
      )
    case .failed(let error, _): document.part = part(body, after: error)
    }
    document.elapsed = body.elapsed
    return document
  }

  private func read(_ body: ReceivedBody) -> ReadDocument {
    guard body.head != nil else { return .blank }
    do throws(FeedParsingError) {
      return try reading.value(of: body)
    } catch {
      return ReadDocument(feed: .failure(error), digest: "")
    }
  }

  /// The stories that had come whole before the transfer failed; what was refused for its size stays
  /// refused.
  private func part(_ body: ReceivedBody, after error: FetchError) -> Feed? {
    if case .bodyTooLarge = error { return nil }
    // Without a single story to keep, why the transfer failed says more than why the part is no feed.
    guard case .success(var feed) = read(body).feed, !feed.items.isEmpty else { return nil }
    feed.isComplete = false
    return feed
  }
}
