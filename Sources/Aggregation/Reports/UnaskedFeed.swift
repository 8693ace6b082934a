package import FeedStorage
package import System

/// A feed that a run left alone, and why.
package struct UnaskedFeed: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Its time has not come; nil when nobody knows when it will.
    case notDue(until: Date?)
    /// A server wants it to be left in peace (`Retry-After`).
    case askedToWait(ServerHold)
    /// Its server said 410.
    case gone
    /// Three runs died while it was being asked.
    case held
  }

  /// The subscription's URL.
  package var url: String
  package var reason: Reason

  /// The server's wish because of which it was left alone.
  package var hold: ServerHold? {
    guard case .askedToWait(let hold) = reason else { return nil }
    return hold
  }
}
