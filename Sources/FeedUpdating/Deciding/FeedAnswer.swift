import FeedFetching
import FeedModel
import FeedParsing
import System

/// What asking a feed came to.
enum FeedAnswer: Hashable, Sendable {
  case document(DocumentFacts, FetchResponse)
  case notModified(FetchResponse)
  /// Anything else. A part of a document may have come before; its stories are findings too.
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

  /// Of a document that came whole.
  var digest: String? {
    guard case .document(let facts, _) = self, facts.isComplete else { return nil }
    return facts.digest
  }

  /// The answer of a feed at a URL: a page in its place proves nothing where TLS was asked for.
  func ofFeed(at url: String) -> FeedAnswer {
    guard !url.hasPrefix("http:"), case .failed(var failure, let response) = self else {
      return self
    }
    failure.mayBePortal = false
    return .failed(failure, response)
  }
}

/// What of a feed's document matters beside its stories.
struct DocumentFacts: Hashable, Sendable {
  var title: String?
  var link: String?
  /// Where the feed says that it lives now.
  var newLocation: String?
  var language: String?
  var hints = UpdateHints()
  var isComplete = true
  var digest: String
  /// How long to wait by the dates of its stories; nil without any.
  var rhythm: Duration?
  /// Whether its stories have one date, that of the document.
  var hasOneDate = false
}

/// Why a feed could not be fetched or parsed, as far as the decision needs it.
struct FeedFailure: Hashable, Sendable {
  var reason: String
  var remedy = FailureRemedy.wait
  var status: Int?
  var isGone = false
  /// The feed was not asked, or the run ended before anyone could say that it failed.
  var isUnasked = false
  /// The deadline came before its turn: it is left for the next run.
  var isLeft = false
  var isCancelled = false
  /// The host could not be reached from here, or somebody who is not the host answered for it.
  var isNetworkUnreachable = false
  /// A resolver said that the host has no address, now or within the hours that this is remembered.
  var isNameUnknown = false
  /// Its host is in a private network, and was not asked.
  var isInPrivateNetwork = false
  /// The run ended before anyone could say whether the host can be reached, or nobody asked.
  var provesNothing = false
  /// This machine has no connection (`NetworkVerdict`).
  var isOffline = false
  /// Not reached, which may be the machine's fault or the host's (`NetworkVerdict`).
  var mayBeOffline = false
  /// A page came in place of a feed that had been asked for without TLS: anyone on the way may have
  /// put it there.
  var mayBePortal = false
  /// A redirect has led to what is no feed, such as a page to log in: that may pass.
  var isElsewhere = false
  var retryAfter: RetryAfter?
}

extension FeedFailure {
  /// What a fetch failed with; it had its turn if the server had time enough to answer before the run
  /// ended.
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
    // What came of the host's other feed is the proof.
    case .hostBusy: isUnasked = true
    case .passwordCommand, .headerCommand: provesNothing = true
    default: (isUnasked, provesNothing) = (error.isUnasked, error.isUnasked)
    }
  }

  /// A network that wants a login first answers for every host, with a certificate of its own.
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
      let feed = announced.first(where: { $0.evidence != .name })
    else { return }
    reason += "; it announces the feed \(feed.url)"
  }

  /// How long a redirect to what is no feed is taken for one that passes, in seconds, and how many
  /// failures.
  private static let (passing, mostPassing) = (3 * 86_400.0, 3)

  /// Returns what the reader can do about it, of a feed in this state: none is to be left for a
  /// redirect that may pass.
  func remedy(_ state: FeedState, now: Date) -> FailureRemedy {
    guard isElsewhere, let worked = state.lastSucceeded else { return remedy }
    let passes = state.failures < Self.mostPassing || now.timeIntervalSince(worked) < Self.passing
    return passes ? .wait : remedy
  }

  /// Says where a redirect has led to what is no feed.
  mutating func noteRedirect(to place: String) {
    guard mayBePortal else { return }
    isElsewhere = true
    reason += "; the feed redirects to \(WebURL.printable(place))"
  }
}
