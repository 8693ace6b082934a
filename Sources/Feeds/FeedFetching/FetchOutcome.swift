package import FeedModel

package enum FetchOutcome: Hashable, Sendable {
  /// A success (or a file) whose body went to the receiver to its end.
  case content(FetchResponse)
  /// A 304 that the request's validators were sent for, a 204 or 205, or a file that has not
  /// changed.
  case notModified(FetchResponse)
  /// Any failure, with the last answer where there was one; the receiver may have had a part of a
  /// body.
  case failed(FetchError, FetchResponse?)

  package var response: FetchResponse? {
    switch self {
    case .content(let response), .notModified(let response): response
    case .failed(_, let response): response
    }
  }

  package var error: FetchError? {
    if case .failed(let error, _) = self { error } else { nil }
  }

  /// The reason to leave the server in peace for the rest of the run; nil where its answer gives
  /// none, or concerns one feed alone.
  package var whyBusy: FetchError? {
    guard case .failed(let error, let response?) = self, let status = error.status,
      (400..<600).contains(status), status == 429 || response.retryAfter != nil,
      !response.speaksForOneFeed
    else { return nil }
    return .hostBusy(status: status, retryAfter: response.retryAfter)
  }
}

/// An answer without its body.
///
/// `status` is nil for a file; `url` is that after all redirects, without user and password.
/// `requests` are HTTP requests, those of redirects included, and 0 for a file. `duration` goes
/// from the first attempt to connect to the last byte.
package struct FetchResponse: Hashable, Sendable {
  package var status: Int?
  package var url: String
  /// The end of an unbroken chain of 301 and 308 from the request; nil when there was none.
  ///
  /// It keeps the request's user and password where they belong to that URL too.
  package var permanentURL: String?
  /// The validators for the next request: those of a 200, or of a 304 with those that were sent in
  /// the place of missing ones.
  ///
  /// They may be kept only when the body proved to be whole.
  package var validators: CacheValidators?
  package var freshness = Freshness()
  package var retryAfter: RetryAfter?
  package var contentType: String?
  package var charset: String?
  package var fileSize: Int?
  /// True if the first server that was asked is on the internet; nil where that cannot be known.
  package var isOnInternet: Bool?
  /// True if the last answer is to a subscription and from a private network.
  ///
  /// A bridge there asks many sites, so its Retry-After is one feed's.
  package var speaksForOneFeed = false
  /// The trust in what the answer names, such as the feed that a page announces.
  package var trust = RequestTrust.reader
  /// The concessions that were made for this answer.
  package var concessions: Concessions = []
  package var bytes = 0
  package var requests = 0
  package var duration = Duration.zero

  package init(status: Int?, url: String) {
    self.status = status
    self.url = url
  }
}
