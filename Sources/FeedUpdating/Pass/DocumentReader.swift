package import FeedFetching
import FeedModel
package import FeedParsing
import Synchronization
import System

/// Reads bodies as feeds' documents, once they have ended.
package struct DocumentReader: Sendable {
  /// Held until a long body is parsed and its stories are in the spool: its copy in another encoding,
  /// or repaired, is as long again.
  private static let longBody = Mutex(())
  private static let longBodyBytes = 16 << 20

  private let limits: ParsingLimits
  /// Whether links are resolved against the place of a file, which is nowhere on the web.
  private let isFileBase: Bool

  package init(_ limits: ParsingLimits, isFileBase: Bool = true) {
    (self.limits, self.isFileBase) = (limits, isFileBase)
  }

  /// Reads a document, and makes something of it while no other long one is read.
  package func read<R>(
    _ request: FetchRequest,
    _ outcome: FetchOutcome,
    _ body: ReceivedBody,
    _ use: (FetchedDocument) -> R,
  ) -> R {
    let url = request.url
    guard body.count > Self.longBodyBytes else { return use(document(url, outcome, body)) }
    return Self.longBody.withLock { _ in use(document(url, outcome, body)) }
  }

  private func document(
    _ url: String,
    _ outcome: FetchOutcome,
    _ body: ReceivedBody,
  ) -> FetchedDocument {
    var document = FetchedDocument(url, outcome)
    switch outcome {
    case .notModified: break
    case .content:
      document = FetchedDocument(
        url,
        outcome,
        from: body.head?.url,
        feed: Result { () throws(FeedParsingError) in try feed(body) },
        digest: body.withBytes(BodyDigest.hexadecimal),
      )
    case .failed(let error, _): document.part = part(body, after: error)
    }
    document.elapsed = body.elapsed
    return document
  }

  private func feed(_ body: ReceivedBody) throws(FeedParsingError) -> Feed {
    guard let head = body.head else { throw .empty }
    return try body.withBytes { (bytes) throws(FeedParsingError) in
      try FeedParser.feed(
        bytes,
        url: isFileBase || WebURL.isWeb(head.url) ? head.url : nil,
        charset: head.charset,
        limits: limits,
      )
    }
  }

  /// The stories that had come whole before the transfer failed; what was refused for its size stays
  /// refused.
  private func part(_ body: ReceivedBody, after error: FetchError) -> Feed? {
    if case .bodyTooLarge = error { return nil }
    // Without a single story to keep, why the transfer failed says more than why the part is no feed.
    guard var feed = try? feed(body), !feed.items.isEmpty else { return nil }
    feed.isComplete = false
    return feed
  }
}
