package import FeedFetching

/// Why a feed could not be fetched or parsed, as far as the decision needs it.
package struct FeedFailure: Hashable, Sendable {
  /// In words, lower case, without a full stop.
  package var reason: String
  package var status: Int?
  /// The server said that the feed is gone for good (410).
  package var isGone = false
  /// The feed was not asked, or the run ended before anyone could say that it failed.
  package var isUnasked = false
  /// Nothing could be reached from here.
  package var isNetworkUnreachable = false
  /// The server is busy (429, 503), and may have said until when.
  package var isBusy = false
  package var retryAfter: RetryAfter?

  package init(reason: String) {
    self.reason = reason
  }

  /// - Parameter hadItsTurn: whether the server had time enough to answer before the run ended.
  package init(_ error: FetchError, hadItsTurn: Bool) {
    reason = "\(error)"
    status = error.status
    isGone = error.isGone
    isNetworkUnreachable = error.isNetworkUnreachable
    retryAfter = error.retryAfter
    if case .busy = error { isBusy = true }
    switch error {
    case .deadline: isUnasked = !hadItsTurn
    default: isUnasked = error.isUnasked
    }
  }
}
