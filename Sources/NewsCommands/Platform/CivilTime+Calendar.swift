import CivilDates

/// What the calendar says of a date: the day of the week and of the year, the week (ISO 8601).
extension CivilTime {
  /// Seconds since 1970 if this were the time in UTC.
  var utcSeconds: Int {
    dayNumber * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Days since 1970-01-01.
  var dayNumber: Int {
    CivilDate.daysSinceEpoch(year: year, month: month, day: day)
  }

  /// 0 for Sunday to 6 for Saturday.
  var weekday: Int {
    CivilDate.weekday(ofDay: dayNumber)
  }

  /// 1 to 366.
  var dayOfYear: Int {
    dayNumber - CivilTime(year: year).dayNumber + 1
  }

  /// The week that the day is in, and the year that this week belongs to (ISO 8601).
  var week: (year: Int, number: Int) {
    // A week belongs to the year that its Thursday is in.
    let thursday = dayNumber - (weekday + 6) % 7 + 3
    let years = [year + 1, year, year - 1]
    let year = years.first { CivilTime(year: $0).dayNumber <= thursday } ?? year
    return (year, (thursday - CivilTime(year: year).dayNumber) / 7 + 1)
  }
}

extension WallClock {
  /// Seconds that the wall clock is ahead of UTC at an instant.
  func offset(at instant: Int) -> Int {
    let offset = civilTime(instant).utcSeconds - instant
    // An instant that the system cannot convert has no offset.
    return abs(offset) <= 26 * 3600 ? offset : 0
  }

  /// `2026-11-01T11:42:00+01:00`, the time here in seconds (RFC 3339).
  func isoText(_ instant: Int) -> String {
    let time = civilTime(instant)
    let clock = "\(time.timeText):\(CivilTime.padded(time.second))"
    return "\(time.dateText)T\(clock)\(offsetText(instant, separator: ":"))"
  }

  /// `+0100`, or with a separator `+01:00`.
  func offsetText(_ instant: Int, separator: String = "") -> String {
    let minutes = abs(offset(at: instant)) / 60
    let sign = offset(at: instant) < 0 ? "-" : "+"
    return sign + CivilTime.padded(minutes / 60) + separator + CivilTime.padded(minutes % 60)
  }
}
