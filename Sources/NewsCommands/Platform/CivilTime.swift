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

  /// `2026-11-01`.
  var dateText: String {
    "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))"
  }

  /// `10:42`.
  var timeText: String {
    "\(Self.padded(hour)):\(Self.padded(minute))"
  }

  var startOfDay: CivilTime {
    CivilTime(year: year, month: month, day: day)
  }

  static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension CivilTime {
  /// Seconds since 1970 if this were the time in UTC.
  var utcSeconds: Int {
    CivilDate.daysSinceEpoch(year: year, month: month, day: day) * 86_400
      + hour * 3600 + minute * 60 + second
  }
}
