package import System

/// The instant that a story counts as of in the order of stories (design 3, Order).
package enum StoryTime {
  /// Its date; when it was stored where it has none or one in the future; nil when neither is known.
  ///
  /// All three in seconds since the same moment.
  @inlinable
  package static func instant(date: Double?, stored: Double?, now: Double) -> Double? {
    if let date, date <= now { return date }
    return stored
  }

  /// The same of dates.
  package static func instant(date: Date?, stored: Date?, now: Date) -> Date? {
    instant(
      date: date?.timeIntervalSinceReferenceDate,
      stored: stored?.timeIntervalSinceReferenceDate,
      now: now.timeIntervalSinceReferenceDate,
    ).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The same for a place in the order: stories of which nothing is known come last.
  package static func place(date: Date?, stored: Date?, now: Date) -> Date {
    instant(date: date, stored: stored, now: now) ?? .distantPast
  }

  /// The same in seconds since 2001.
  static func place(date: Double?, stored: Double?, now: Date) -> Double {
    if let date, date <= now.timeIntervalSinceReferenceDate { return date }
    return stored ?? Date.distantPast.timeIntervalSinceReferenceDate
  }
}
