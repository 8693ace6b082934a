import FeedFetching
import FeedModel
import FeedParsing
import System

enum FeedAnswer: Hashable, Sendable {
  case document(DocumentFacts, FetchResponse)
  case notModified(FetchResponse)
  /// Any other answer.
  ///
  /// Stories of a part of the document may have come before.
  case failed(FeedFailure, FetchResponse?)

  var response: FetchResponse? {
    switch self {
    case .document(_, let response), .notModified(let response): response
    case .failed(_, let response): response
    }
  }

  var failure: FeedFailure? {
    guard case .failed(let failure, _) = self else { return nil }
    return failure
  }

  var digest: String? {
    guard case .document(let facts, _) = self, facts.feed.isComplete else { return nil }
    return facts.digest
  }

  /// The answer for a feed at this URL.
  ///
  /// If the URL asks for TLS, a page in place of a feed is no sign of a captive portal.
  func ofFeed(at url: String) -> FeedAnswer {
    guard !url.hasPrefix("http:"), case .failed(var failure, let response) = self else {
      return self
    }
    failure.mayBePortal = false
    return .failed(failure, response)
  }
}

struct DocumentFacts: Hashable, Sendable {
  /// The document without its stories.
  var feed: Feed
  var digest: String
  /// The wait by the dates of its stories, or nil without any.
  var rhythm: Duration?
  /// True if all stories have one date, that of the document.
  var hasOneDate = false
}

struct FeedFailure: Hashable, Sendable {
  var reason: String
  var remedy = FailureRemedy.wait
  var status: Int?
  var isGone = false
  /// True if the feed was not asked, or the run ended before its failure was certain.
  var isUnasked = false
  var isLeft = false
  var isCancelled = false
  /// True if the host could not be reached, or another answered in its place.
  var isNetworkUnreachable = false
  /// True if a resolver said that the host has no address, now or within the hours for which that
  /// is remembered.
  var isNameUnknown = false
  var isInPrivateNetwork = false
  /// True if the failure says nothing about the host: the run ended too early, or nobody asked.
  var provesNothing = false
  var isOffline = false
  /// True if the host was not reached, by the machine's fault or the host's (`NetworkVerdict`).
  var mayBeOffline = false
  /// True if a page came without TLS in place of a feed, so that anyone on the way may have put it
  /// there.
  var mayBePortal = false
  var retryAfter: RetryAfter?
}

extension FeedFailure {
  init(_ error: FetchError, _ response: FetchResponse? = nil, hadItsTurn: Bool) {
    reason = "\(error)"
    remedy = FailureRemedy(error)
    status = error.status
    isGone = error.isGone
    isNetworkUnreachable = error.isNetworkUnreachable || Self.isImpostor(error)
    let isRefused = status.map { (400..<600).contains($0) } ?? false
    retryAfter = error.retryAfter ?? (isRefused ? response?.retryAfter : nil)
    // Network Authentication Required (RFC 6585 §6).
    mayBePortal = status == 511
    if case .nameUnknown = error { isNameUnknown = true }
    isInPrivateNetwork = error == .privateNetwork
    isCancelled = error == .cancelled
    switch error {
    case .deadline: (isUnasked, provesNothing) = (!hadItsTurn, true)
    case .notBegun: (isUnasked, provesNothing, isLeft) = (true, true, true)
    // The answer to the host's other feed is the proof.
    case .hostBusy: isUnasked = true
    case .passwordCommand, .headerCommand, .certificates: provesNothing = true
    default: (isUnasked, provesNothing) = (error.isUnasked, error.isUnasked)
    }
  }

  /// Returns true for a TLS failure.
  ///
  /// A network that wants a log-in first answers for every host, with its own certificate.
  private static func isImpostor(_ error: FetchError) -> Bool {
    guard case .tls(let failure) = error else { return false }
    return failure != .authoritiesUnreadable
  }

  init(_ error: FeedParsingError) {
    reason = "\(error)"
    remedy = FailureRemedy(error)
    switch error {
    case .library, .resourcesExhausted: (isUnasked, provesNothing) = (true, true)
    case .webPage, .notAFeed, .unrecognized: mayBePortal = true
    default: break
    }
    guard case .webPage(let announced) = error,
      let feed = announced.first(where: \.isLikely)
    else { return }
    reason += "; it announces the feed \(feed.url)"
  }

  /// Returns the remedy for a feed in this state.
  func remedy(_ state: FeedState, now: Date) -> FailureRemedy {
    guard let worked = state.lastSucceeded else { return remedy }
    return remedy.advised(after: now.timeIntervalSince(worked), failures: state.failures)
  }

  mutating func noteRedirect(to place: String) {
    guard mayBePortal else { return }
    reason += "; the feed redirects to \(WebURL.printable(place))"
  }
}
