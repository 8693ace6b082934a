package import FeedFetching
import FeedModel
package import FeedParsing
import Synchronization
import System

/// Collects a body, and reads the feed in it when it has ended.
package final class FeedReceiver: BodyReceiver {
  /// Held until a long body is parsed and its stories are in the spool: its copy in another encoding,
  /// or repaired, is as long again.
  private static let longBody = Mutex(())
  private static let longBodyBytes = 16 << 20

  private let limits: ParsingLimits
  /// Whether links are resolved against the place of a file, which is nowhere on the web.
  private let isFileBase: Bool
  private let onBegin: () -> Void
  private let started = ContinuousClock.now
  private let body = ReceivedBody()
  private var head: ResponseHead?

  package init(
    _ limits: ParsingLimits,
    isFileBase: Bool = true,
    onBegin: @escaping () -> Void = {},
  ) {
    self.limits = limits
    self.isFileBase = isFileBase
    self.onBegin = onBegin
  }

  package func begin(_ head: ResponseHead) {
    onBegin()
    self.head = head
  }

  package func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    body.append(bytes)
    return true
  }

  /// Reads the document, and makes something of it while no other long one is read.
  ///
  /// To be called once, at the end of the request.
  package func read<R>(
    _ request: FetchRequest,
    _ outcome: FetchOutcome,
    _ use: (FetchedDocument) -> R,
  ) -> R {
    let url = request.url
    guard body.count > Self.longBodyBytes else { return use(document(url, outcome)) }
    return Self.longBody.withLock { _ in use(document(url, outcome)) }
  }

  private func document(_ url: String, _ outcome: FetchOutcome) -> FetchedDocument {
    var document = FetchedDocument(url, outcome)
    switch outcome {
    case .notModified: break
    case .content:
      document = FetchedDocument(
        url,
        outcome,
        from: head?.url,
        feed: Result { () throws(FeedParsingError) in try feed() },
        digest: body.withBytes(BodyDigest.hexadecimal),
      )
    case .failed(let error, _): document.part = part(after: error)
    }
    document.elapsed = started.duration(to: .now)
    return document
  }

  private func feed() throws(FeedParsingError) -> Feed {
    guard let head else { throw .empty }
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
  private func part(after error: FetchError) -> Feed? {
    if case .bodyTooLarge = error { return nil }
    // Without a single story to keep, why the transfer failed says more than why the part is no feed.
    guard var feed = try? feed(), !feed.items.isEmpty else { return nil }
    feed.isComplete = false
    return feed
  }
}
