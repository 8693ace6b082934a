/// The time now, and conversions between instants, in seconds since 1970, and local time.
package struct WallClock: Sendable {
  package var now: @Sendable () -> Double
  package var civilTime: @Sendable (Int) -> CivilTime
  /// Returns nil for a local time that there is not.
  package var seconds: @Sendable (CivilTime) -> Int?
  package var zone: @Sendable (Int) -> String = { _ in "UTC" }

  package static var system: WallClock {
    WallClock(
      now: secondsSince1970,
      civilTime: { CivilTime(localTime($0)) },
      seconds: \.localSeconds,
      zone: { localTime($0).tm_zone.map { String(cString: $0) } ?? "" },
    )
  }

  package var date: Date {
    Date(timeIntervalSince1970: now())
  }

  package func civilTime(of date: Date) -> CivilTime {
    civilTime(date.wholeSeconds)
  }
}

extension WallClock {
  func offset(at instant: Int) -> Int {
    let offset = civilTime(instant).utcSeconds - instant
    // An instant that the system cannot convert has no offset.
    return abs(offset) <= 26 * 3600 ? offset : 0
  }

  /// Returns `2026-11-01T11:42:00+01:00` (RFC 3339), in local time.
  package func isoText(_ instant: Int) -> String {
    let time = civilTime(instant)
    let clock = "\(time.timeText):\(time.second.padded(to: 2))"
    return "\(time.dateText)T\(clock)\(offsetText(instant, separator: ":"))"
  }

  package func offsetText(_ instant: Int, separator: String = "") -> String {
    let minutes = abs(offset(at: instant)) / 60
    let sign = offset(at: instant) < 0 ? "-" : "+"
    return sign + (minutes / 60).padded(to: 2) + separator + (minutes % 60).padded(to: 2)
  }
}

extension Date {
  /// Whole seconds since 1970; 0 for no number, and clamped to the year 9999.
  package var wholeSeconds: Int { Int(clamping: timeIntervalSince1970) }
}

extension Int {
  package init(clamping seconds: Double) {
    let limit = 253_402_300_799.0  // the end of the year 9999
    self = seconds.isNaN ? 0 : Int(Swift.min(Swift.max(seconds.rounded(.down), -limit), limit))
  }
}

extension WallClock {
  private static func secondsSince1970() -> Double {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the beginning of 1970 where the system cannot convert an instant.
  private static func localTime(_ seconds: Int) -> tm {
    var instant = time_t(seconds)
    var parts = tm()
    return localtime_r(&instant, &parts) == nil ? CivilTime().fields : parts
  }
}

extension CivilTime {
  /// Makes the beginning of a day.
  package init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  fileprivate init(_ time: tm) {
    self.init(
      year: Int(time.tm_year) + 1900,
      month: Int(time.tm_mon) + 1,
      day: Int(time.tm_mday),
      hour: Int(time.tm_hour),
      minute: Int(time.tm_min),
      second: Int(time.tm_sec),
    )
  }

  /// Seconds since 1970 if this is local time; days and months may overflow.
  fileprivate var localSeconds: Int? {
    guard (1...9999).contains(year) else { return nil }
    var parts = fields
    parts.tm_isdst = -1
    let instant = mktime(&parts)
    return instant == -1 ? nil : Int(instant)
  }

  /// The C library's form, with the days of the week and of the year.
  package var parts: tm {
    var parts = fields
    _ = timegm(&parts)
    return parts
  }

  fileprivate var fields: tm {
    var parts = tm()
    parts.tm_year = Int32(truncatingIfNeeded: year - 1900)
    parts.tm_mon = Int32(truncatingIfNeeded: month - 1)
    parts.tm_mday = Int32(truncatingIfNeeded: day)
    parts.tm_hour = Int32(truncatingIfNeeded: hour)
    parts.tm_min = Int32(truncatingIfNeeded: minute)
    parts.tm_sec = Int32(truncatingIfNeeded: second)
    return parts
  }
}

package struct CivilTime: Hashable, Sendable {
  package var year = 1970
  package var month = 1
  package var day = 1
  package var hour = 0
  package var minute = 0
  package var second = 0

  package var dateText: String {
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }

  package var timeText: String {
    "\(hour.padded(to: 2)):\(minute.padded(to: 2))"
  }

  package var startOfDay: CivilTime {
    CivilTime(year: year, month: month, day: day)
  }

  package var utcSeconds: Int {
    CivilDate.daysSinceEpoch(year: year, month: month, day: day) * 86_400
      + hour * 3600 + minute * 60 + second
  }
}
