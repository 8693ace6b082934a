package import FeedModel

/// How a request ended.
package enum FetchOutcome: Hashable, Sendable {
  /// A success (or a file) whose body went to the receiver to its end.
  case content(FetchResponse)
  /// A 304 that the request's validators were sent for, a 204 or 205, or a file that has not changed.
  case notModified(FetchResponse)
  /// Anything else; with what the last answer said, when there was one.
  ///
  /// The receiver may have had a part of a body before.
  case failed(FetchError, FetchResponse?)

  package var response: FetchResponse? {
    switch self {
    case .content(let response), .notModified(let response): response
    case .failed(_, let response): response
    }
  }

  package var error: FetchError? {
    guard case .failed(let error, _) = self else { return nil }
    return error
  }

  /// Why the server that answered is to be left in peace for the rest of the run; nil when it is not,
  /// or only this one of its feeds.
  package var whyBusy: FetchError? {
    guard case .failed(let error, let response?) = self, let status = error.status,
      (400..<600).contains(status), status == 429 || response.retryAfter != nil,
      !response.speaksForOneFeed
    else { return nil }
    return .hostBusy(status: status, retryAfter: response.retryAfter)
  }
}

/// What an answer said beside its body.
package struct FetchResponse: Hashable, Sendable {
  /// The HTTP status of the last answer; nil for a file.
  package var status: Int?
  /// Where the answer came from after all redirects, without user and password.
  package var url: String
  /// Where an unbroken chain of 301 and 308 from the request led; nil when there was none.
  ///
  /// It keeps the request's user and password where they belong to that place too.
  package var permanentURL: String?
  /// What to send next time: of a 200 its own, of a 304 its own or else those that were sent.
  ///
  /// Only to be kept when the body proved to be whole.
  package var validators: CacheValidators?
  package var freshness = Freshness()
  package var retryAfter: RetryAfter?
  package var contentType: String?
  package var charset: String?
  /// Bytes of the whole file, of an answer to a `FileRequest` that says so.
  package var fileSize: Int?
  /// Whether the server that was asked first is one of the internet; nil where nobody can say.
  package var isOnInternet: Bool?
  /// The last answer is a feed's, from a private network: a bridge there asks many sites of the internet,
  /// and what it wishes is the wish of one of them.
  package var speaksForOneFeed = false
  /// What may be done for the sake of the answer, such as asking for the feed that it announces.
  package var trust = RequestTrust.reader
  package var bytes = 0
  /// HTTP requests, those of redirects included; 0 for a file.
  package var requests = 0
  /// From the first attempt to connect to the last byte.
  package var duration = Duration.zero

  package init(status: Int?, url: String) {
    self.status = status
    self.url = url
  }
}
