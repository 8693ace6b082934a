package import FeedFetching
import FeedModel
import FeedParsing
package import FeedReading

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
    var document = FetchedDocument(url: request.url, outcome: outcome)
    switch outcome {
    case .notModified: break
    case .content: document = content(request, outcome, read(body), body)
    case .failed(let error, let response):
      let read = readPart(body, after: error)
      if let response, let whole = read?.whole, error.mayComeAfterWhole {
        document = content(request, .content(response), whole, body)
      } else {
        document.part = read?.part
      }
    }
    document.elapsed = body.elapsed
    return document
  }

  private func content(
    _ request: FetchRequest,
    _ outcome: FetchOutcome,
    _ read: ReadDocument,
    _ body: ReceivedBody,
  ) -> FetchedDocument {
    FetchedDocument(
      url: request.url,
      outcome: outcome,
      source: body.head?.url,
      feed: read.feed,
      digest: read.digest,
    )
  }

  private func read(_ body: ReceivedBody) -> ReadDocument {
    guard body.head != nil else { return .blank }
    do throws(FeedParsingError) {
      return try reading.value(of: body)
    } catch {
      return ReadDocument(feed: .failure(error), digest: "")
    }
  }

  /// Reads what came before the transfer failed; a body that was refused for its size stays
  /// refused.
  private func readPart(_ body: ReceivedBody, after error: FetchError) -> ReadDocument? {
    if case .bodyTooLarge = error { return nil }
    return read(body)
  }
}

extension ReadDocument {
  /// The document, if its root was closed before the transfer failed.
  fileprivate var whole: ReadDocument? {
    guard case .success(var feed) = self.feed, feed.isComplete else { return nil }
    feed.notes.append("the server did not end its answer as announced; the document is whole")
    return ReadDocument(feed: .success(feed), digest: digest)
  }

  fileprivate var part: Feed? {
    // Without a story to keep, the reason of the failed transfer says more than the parser's.
    guard case .success(var feed) = self.feed, !feed.items.isEmpty else { return nil }
    feed.isComplete = false
    return feed
  }
}
