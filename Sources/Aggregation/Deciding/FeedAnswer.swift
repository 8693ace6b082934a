package import FeedFetching
package import FeedModel

/// What asking a feed came to.
package enum FeedAnswer: Hashable, Sendable {
  /// A document that could be parsed.
  case document(DocumentFacts, FetchResponse)
  /// The feed has not changed since its validators were given.
  case notModified(FetchResponse)
  /// Anything else. A part of a document may have come before; its stories are findings too.
  case failed(FeedFailure, FetchResponse?)

  package var response: FetchResponse? {
    switch self {
    case .document(_, let response), .notModified(let response): response
    case .failed(_, let response): response
    }
  }

  package var failure: FeedFailure? {
    guard case .failed(let failure, _) = self else { return nil }
    return failure
  }
}

/// What of a feed's document matters beside its stories.
package struct DocumentFacts: Hashable, Sendable {
  package var title: String?
  package var link: String?
  package var hints = UpdateHints()
  /// Whether nothing is missing at its end.
  package var isComplete = true
  /// A digest of the whole body.
  package var digest: String
  /// How long to wait by the dates of its stories; nil without any.
  package var rhythm: Duration?

  package init(digest: String) {
    self.digest = digest
  }

  package init(_ feed: Feed, digest: String, rhythm: Duration?) {
    title = feed.title
    link = feed.link
    hints = feed.hints
    isComplete = feed.isComplete
    self.digest = digest
    self.rhythm = rhythm
  }
}
