package enum MailDate {
  /// Returns `Sun, 01 Nov 2026 10:42:00 GMT` (RFC 822), which OPML asks for.
  ///
  /// A time before 1970 becomes its beginning.
  package static func text(_ seconds: Int) -> String {
    let day = CivilDate(daysSinceEpoch: max(0, seconds) / 86_400)
    let time = max(0, seconds) % 86_400
    let clock = [time / 3600, time / 60 % 60, time % 60].map { $0.padded(to: 2) }
    let date = "\(day.day.padded(to: 2)) \(CalendarName.shortMonth(day.month)) \(day.year)"
    let weekday = CalendarName.shortWeekday(day.weekday)
    return "\(weekday), \(date) \(clock.joined(separator: ":")) GMT"
  }
}
