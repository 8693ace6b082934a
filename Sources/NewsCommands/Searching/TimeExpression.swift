import CivilDates

/// A point in time as people type it: `2026-11-01`, an ISO date and time, `today`, `yesterday`,
/// `3d`, `2h`, `1w`.
struct TimeExpression {
  let clock: WallClock

  enum Edge {
    case start
    case end
  }

  /// Seconds since 1970, or nil when it is none of the forms.
  ///
  /// A day named as a bound includes the whole day: `edge` is its start for `--since`, its end for
  /// `--until`.
  func seconds(_ text: String, edge: Edge) -> Int? {
    let word = text.lowercased()
    switch word {
    case "now": return now
    case "today": return day(offset: 0, edge)
    case "yesterday": return day(offset: -1, edge)
    default: return ago(word) ?? exact(word, edge)
    }
  }

  private var now: Int {
    Int(clamping: clock.now())
  }

  private func day(offset: Int, _ edge: Edge) -> Int? {
    var time = clock.civilTime(now).startOfDay
    time.day += offset
    return day(time, edge)
  }

  /// `3d`, `2 h`, `1w ago`.
  private func ago(_ word: String) -> Int? {
    let text = word.hasSuffix(" ago") ? word.dropLast(4) : word[...]
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number <= 100_000 else { return nil }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    let length: Int? =
      switch unit {
      case "min", "mins", "minute", "minutes": 60
      case "h", "hour", "hours": 3600
      case "d", "day", "days": 86_400
      case "w", "week", "weeks": 7 * 86_400
      default: nil
      }
    if let length { return now - number * length }
    return months(unit).flatMap { monthsAgo(number * $0) }
  }

  private func months(_ unit: Substring) -> Int? {
    switch unit {
    case "mo", "month", "months": 1
    case "y", "year", "years": 12
    default: nil
    }
  }

  private func monthsAgo(_ count: Int) -> Int? {
    var time = clock.civilTime(now)
    let month = time.year * 12 + time.month - 1 - count
    guard month >= 12 else { return nil }
    time.year = month / 12
    time.month = month % 12 + 1
    return clock.seconds(time)
  }

  /// An ISO 8601 date of the extended form, with or without a time of day, with or without a zone.
  private func exact(_ word: String, _ edge: Edge) -> Int? {
    let form =
      /(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:\.\d*)?)?(z|[+-]\d\d:?(?:\d\d)?)?)?/
      .asciiOnlyDigits()
    guard let match = word.wholeMatch(of: form)?.output, let year = Int(match.1),
      let month = Int(match.2), let day = Int(match.3), year > 0,
      CivilDate(year: year, month: month, day: day) != nil
    else { return nil }
    var time = CivilTime(year: year, month: month, day: day)
    guard let hour = match.4.flatMap({ Int($0) }), let minute = match.5.flatMap({ Int($0) }) else {
      return self.day(time, edge)
    }
    (time.hour, time.minute) = (hour, minute)
    time.second = match.6.flatMap { Int($0) } ?? 0
    guard hour < 24, minute < 60, time.second < 60 else { return nil }
    guard let zone = match.7 else { return clock.seconds(time) }
    return offset(zone).map { time.utcSeconds - $0 }
  }

  /// Seconds east of UTC: `z`, `+01:00`, `-0330`, `+02`.
  private func offset(_ zone: Substring) -> Int? {
    let digits = zone.filter(\.isNumber)
    let (hours, minutes) = (Int(digits.prefix(2)) ?? 0, Int(digits.dropFirst(2)) ?? 0)
    guard hours < 24, minutes < 60 else { return nil }
    return (zone.first == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// The first or the last second of a day.
  private func day(_ start: CivilTime, _ edge: Edge) -> Int? {
    var time = start
    time.day += edge == .end ? 1 : 0
    return clock.seconds(time).map { edge == .end ? $0 - 1 : $0 }
  }
}
