/// How a request ended.
package enum FetchOutcome: Hashable, Sendable {
  /// A 200 (or a file) whose body went to the receiver to its end.
  case content(FetchResponse)
  /// A 304 that the request's validators were sent for, or a file that has not changed.
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

  /// Why the server that answered is to be left in peace for the rest of the run; nil when it is not.
  package var whyBusy: FetchError? {
    guard case .failed(let error, let response?) = self, let status = error.status,
      (400..<600).contains(status), status == 429 || response.retryAfter != nil
    else { return nil }
    return .hostBusy(status: status, retryAfter: response.retryAfter)
  }
}
