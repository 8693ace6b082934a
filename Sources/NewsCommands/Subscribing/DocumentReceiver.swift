import FeedFetching
import FeedModel
import FeedParsing

/// Collects a body, and reads the feed in it.
final class DocumentReceiver: BodyReceiver {
  private let keepsBody: Bool
  private let body = ReceivedBody()
  private var head: ResponseHead?

  init(keepsBody: Bool) {
    self.keepsBody = keepsBody
  }

  func begin(_ head: ResponseHead) {
    self.head = head
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    body.append(bytes)
    return true
  }

  /// What came of it all; called once, at the end.
  func document(_ url: String, _ outcome: FetchOutcome) -> FetchedDocument {
    let bytes = keepsBody ? body.withBytes { Array($0) } : []
    return FetchedDocument(
      url: url,
      outcome: outcome,
      head: head,
      body: bytes,
      feed: feed(outcome),
    )
  }

  private func feed(_ outcome: FetchOutcome) -> Result<Feed, FeedParsingError>? {
    guard case .content = outcome, let head else { return nil }
    // A file's place says nothing of where its links lead.
    let base = SubscriptionURL.isWeb(head.url) ? head.url : nil
    return Result { () throws(FeedParsingError) in
      try body.withBytes { (bytes) throws(FeedParsingError) in
        try FeedParser.feed(bytes, url: base, charset: head.charset)
      }
    }
  }
}
