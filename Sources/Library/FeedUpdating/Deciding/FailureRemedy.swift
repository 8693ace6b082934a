package import FeedFetching
import FeedModel
package import FeedParsing
import System

package enum FailureRemedy: Hashable, Sendable {
  case wait
  case findAddress
  /// The host is gone, so nobody there can be asked for the new place.
  case findHost
  case follow(String)
  case leave
  case giveCredentials
  /// The site may answer another list of types (406, 415), or another program's name.
  case changeAccept, changeUserAgent
  case useHTTP1
  /// A wall against bots lets only browsers in, or what looks like one.
  case passWall
  /// The certificate, redirects or document must be repaired by the site's owner.
  case tellOwner
  case raiseLimit
  case checkFile
  case freeResources
  /// The host has come to be in a private network, which the user may want.
  case allowPrivate
  /// The reason itself says what to look at or to install: the proxy, the clock, a library.
  case heedReason

  package init(_ error: FetchError) {
    switch error {
    case .invalidURL, .unsupportedScheme, .redirectUnsupported, .status(404), .status(405),
      .status(400):
      self = .findAddress
    case .nameUnknown: self = .findHost
    case .resourcesExhausted: self = .freeResources
    case .privateNetwork: self = .allowPrivate
    case .certificates, .passwordCommand, .headerCommand, .feedCommand, .filter, .proxyNotResolved,
      .proxyRefused, .proxyFailed, .status(407), .tls(.notYetValid), .tls(.authoritiesUnreadable),
      .library:
      self = .heedReason
    case .status(410): self = .leave
    case .status(401): self = .giveCredentials
    case .protectionService: self = .passWall
    case .status(406), .status(415): self = .changeAccept
    case .status(403), .status(418), .status(451), .connectionClosed: self = .changeUserAgent
    case .brokenHTTP2: self = .useHTTP1
    case .bodyTooLarge: self = .raiseLimit
    case .file: self = .checkFile
    case .tls, .tooManyRedirects, .redirectLoop, .redirectWithoutLocation, .redirectDowngrade,
      .redirectToPrivateNetwork, .undecodableBody, .headersTooLarge, .malformedResponse,
      .unexpectedNotModified, .restRefused, .compressedFile:
      self = .tellOwner
    case .nameNotResolved, .connectionRefused, .networkUnreachable, .connectionFailed,
      .connectTimeout, .stalled, .tooSlow, .transferTimeout, .deadline, .notBegun, .cancelled,
      .truncated, .stoppedByReceiver, .readerEnded, .redirected, .passwordMissing,
      .secretInTheClear, .status, .refusedCall, .hostBusy, .other:
      self = .wait
    }
  }

  package init(_ error: FeedParsingError) {
    switch error {
    case .webPage(let announced):
      let feed = announced.first(where: \.isLikely)
      self = feed.map { .follow($0.url) } ?? .findAddress
    case .notAFeed, .unrecognized: self = .findAddress
    case .empty: self = .wait
    case .library: self = .heedReason
    case .resourcesExhausted: self = .freeResources
    default: self = .tellOwner
    }
  }

  /// The seconds and the number of failures before a feed that has worked is given up: check pages,
  /// maintenance and a server's mistakes pass.
  private static let (passing, mostPassing) = (3 * 86_400.0, 3)

  /// Tells whether the feed may live elsewhere by now.
  package var isOfAddress: Bool {
    switch self {
    case .findAddress, .findHost, .follow, .leave: true
    default: false
    }
  }

  /// Returns true if a feed has failed so long that its site is asked where it lives.
  ///
  /// One that is gone (410) is not asked itself any more; the page that it has named is, once.
  static func isLost(_ state: FeedState, now: Date) -> Bool {
    guard !state.isGone else {
      let asked = state.lastAsked.map { now.timeIntervalSince($0) } ?? 0
      return state.link != nil && state.siteAsked == nil && asked >= passing
    }
    return state.failures >= mostPassing
      && state.lastSucceeded.map { now.timeIntervalSince($0) >= passing } ?? true
  }

  func advised(after seconds: Double, failures: Int) -> FailureRemedy {
    let passes = failures < Self.mostPassing || seconds < Self.passing
    return switch self {
    case .findAddress, .findHost, .follow: passes ? .wait : self
    default: self
    }
  }
}
