import FeedFetching
import FeedModel
import FeedParsing

/// One source, asked and parsed.
struct FetchedDocument: Sendable {
  /// What was asked for.
  let url: String
  let outcome: FetchOutcome
  /// What is known of the answer, when it was content.
  let head: ResponseHead?
  /// The whole body, where it was to be kept.
  let body: [UInt8]
  /// What the body is; nil when there was none.
  let feed: Result<Feed, FeedParsingError>?
}

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
