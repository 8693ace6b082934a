import FeedFetching
import FeedModel
import FeedParsing

/// Feeds a parser while a body arrives.
final class DocumentReceiver: BodyReceiver {
  private let keepsBody: Bool
  private var parser: FeedParser?
  private var head: ResponseHead?
  private var body: [UInt8] = []
  private var failure: FeedParsingError?

  init(keepsBody: Bool) {
    self.keepsBody = keepsBody
  }

  func begin(_ head: ResponseHead) {
    self.head = head
    // A file's place says nothing of where its links lead.
    let base = SubscriptionURL.isWeb(head.url) ? head.url : nil
    parser = FeedParser(url: base, charset: head.charset)
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if keepsBody { body.append(contentsOf: bytes) }
    do {
      try parser?.parse(bytes)
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// What came of it all; called once, at the end.
  func document(_ url: String, _ outcome: FetchOutcome) -> FetchedDocument {
    FetchedDocument(url: url, outcome: outcome, head: head, body: body, feed: feed(outcome))
  }

  private func feed(_ outcome: FetchOutcome) -> Result<Feed, FeedParsingError>? {
    if let failure { return .failure(failure) }
    guard case .content = outcome, let parser else { return nil }
    do {
      return .success(try parser.finish())
    } catch {
      return .failure(error)
    }
  }
}
