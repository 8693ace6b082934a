#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A feed that a run left alone, and why.
package struct UnaskedFeed: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Its time has not come; nil when nobody knows when it will.
    case notDue(until: Date?)
    /// Its host wants to be left in peace (`Retry-After`).
    case hostHold(until: Date)
    /// Its server said 410.
    case gone
    /// Three runs died while it was being asked.
    case held
  }

  /// The subscription's URL.
  package var url: String
  package var reason: Reason
}
