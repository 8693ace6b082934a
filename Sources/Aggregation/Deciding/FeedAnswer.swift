package import FeedFetching

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
