#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The instant that a story counts as of in the order of stories (design 3, Order).
package enum StoryTime {
  /// Its date; when it was stored where it has none or one in the future.
  package static func instant(date: Date?, stored: Date?, now: Date) -> Date {
    if let date, date <= now { return date }
    return stored ?? .distantPast
  }
}
