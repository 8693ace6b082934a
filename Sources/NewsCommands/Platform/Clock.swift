#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A time on a wall clock: a date of the Gregorian calendar and a time of day.
package struct CivilTime: Hashable, Sendable {
  package var year = 1970
  /// 1 to 12.
  package var month = 1
  /// 1 to 31.
  package var day = 1
  package var hour = 0
  package var minute = 0
  package var second = 0

  package init(
    year: Int = 1970,
    month: Int = 1,
    day: Int = 1,
    hour: Int = 0,
    minute: Int = 0,
    second: Int = 0,
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// `2026-11-01`.
  var dateText: String {
    "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))"
  }

  /// `10:42`.
  var timeText: String {
    "\(Self.padded(hour)):\(Self.padded(minute))"
  }

  /// Midnight of the same day.
  var startOfDay: CivilTime {
    CivilTime(year: year, month: month, day: day)
  }

  static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// The time now, and how instants and wall clocks relate where the user is.
package struct WallClock: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Double
  /// The wall clock's time at an instant in seconds since 1970.
  package var civilTime: @Sendable (Int) -> CivilTime
  /// The instant, in seconds since 1970, of a time on the wall clock; nil when there is none.
  package var seconds: @Sendable (CivilTime) -> Int?
  /// The short name of the time zone at an instant, such as `CET`.
  package var zone: @Sendable (Int) -> String

  package init(
    now: @escaping @Sendable () -> Double,
    civilTime: @escaping @Sendable (Int) -> CivilTime,
    seconds: @escaping @Sendable (CivilTime) -> Int?,
    zone: @escaping @Sendable (Int) -> String = { _ in "UTC" },
  ) {
    self.now = now
    self.civilTime = civilTime
    self.seconds = seconds
    self.zone = zone
  }

  /// The system's clock in the user's time zone.
  package static var system: WallClock {
    WallClock(
      now: SystemCalls.secondsSince1970,
      civilTime: SystemCalls.civilTime,
      seconds: SystemCalls.seconds(of:),
      zone: SystemCalls.zone,
    )
  }

  var date: Date {
    Date(timeIntervalSince1970: now())
  }

  func civilTime(of date: Date) -> CivilTime {
    civilTime(date.wholeSeconds)
  }
}

extension Date {
  /// Whole seconds since 1970, also of a date that is far out of range, or none.
  var wholeSeconds: Int { Int(clamping: timeIntervalSince1970) }
}

extension Int {
  /// The whole seconds of a time that may be far out of range, or not a number.
  init(clamping seconds: Double) {
    let limit = 253_402_300_799.0  // the end of the year 9999
    self = seconds.isNaN ? 0 : Int(Swift.min(Swift.max(seconds.rounded(.down), -limit), limit))
  }
}
