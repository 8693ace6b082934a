/// Dates as RFC 822 has them, in UTC, which OPML asks for.
enum MailDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Sun, 01 Nov 2026 10:42:00 GMT`; seconds since 1970, not negative.
  static func text(_ seconds: Int) -> String {
    let days = max(0, seconds) / 86_400
    let (year, month, day) = date(days)
    let time = max(0, seconds) % 86_400
    let clock = [time / 3600, time / 60 % 60, time % 60].map { CivilTime.padded($0) }
    let date = "\(CivilTime.padded(day)) \(months[month - 1]) \(year)"
    return "\(Self.days[days % 7]), \(date) \(clock.joined(separator: ":")) GMT"
  }

  /// The civil date of a number of days since 1970 (Howard Hinnant's algorithm).
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let inEra = shifted % 146_097
    let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * year + year / 4 - year / 100)
    let month = (5 * inYear + 2) / 153
    let day = inYear - (153 * month + 2) / 5 + 1
    return (year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
  }
}
