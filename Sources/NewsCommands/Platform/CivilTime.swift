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
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }

  /// `10:42`.
  var timeText: String {
    "\(hour.padded(to: 2)):\(minute.padded(to: 2))"
  }

  var startOfDay: CivilTime {
    CivilTime(year: year, month: month, day: day)
  }
}

extension CivilTime {
  /// Seconds since 1970 if this were the time in UTC.
  var utcSeconds: Int {
    CivilDate.daysSinceEpoch(year: year, month: month, day: day) * 86_400
      + hour * 3600 + minute * 60 + second
  }
}
