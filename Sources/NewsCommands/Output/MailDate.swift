import CivilDates

/// Dates as RFC 822 has them, in UTC, which OPML asks for.
enum MailDate {
  /// `Sun, 01 Nov 2026 10:42:00 GMT`; seconds since 1970, not negative.
  static func text(_ seconds: Int) -> String {
    let day = CivilDate(daysSinceEpoch: max(0, seconds) / 86_400)
    let time = max(0, seconds) % 86_400
    let clock = [time / 3600, time / 60 % 60, time % 60].map { CivilTime.padded($0) }
    let date = "\(CivilTime.padded(day.day)) \(CalendarName.shortMonth(day.month)) \(day.year)"
    let weekday = CalendarName.shortWeekday(day.weekday)
    return "\(weekday), \(date) \(clock.joined(separator: ":")) GMT"
  }
}
