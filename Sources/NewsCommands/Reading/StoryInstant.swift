#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When a story appeared: the time by which it is ordered and shown.
enum StoryInstant {
  /// Seconds since 1970; nil when nothing is known.
  ///
  /// A story without a date, or dated after it was stored, counts as of when it was stored
  /// (design §3 "Order").
  static func instant(date: Date?, stored: Date?) -> Int? {
    instant(
      date: date?.timeIntervalSinceReferenceDate,
      stored: stored?.timeIntervalSinceReferenceDate,
    )
  }

  /// The same of seconds since 2001.
  static func instant(date: Double?, stored: Double?) -> Int? {
    guard let date else { return stored.map(seconds(since2001:)) }
    return seconds(since2001: min(date, stored ?? date))
  }

  private static func seconds(since2001 seconds: Double) -> Int {
    Int(clamping: seconds + Date.timeIntervalBetween1970AndReferenceDate)
  }
}
