import CivilDates

/// A point in time as people type it: `2026-11-01`, an ISO date and time, `today`, `yesterday`,
/// `3d`, `2h`, `1w`.
struct TimeExpression {
  let clock: WallClock

  /// Which instant of a whole day is meant.
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
    time.day += offset + (edge == .end ? 1 : 0)
    return clock.seconds(time).map { edge == .end ? $0 - 1 : $0 }
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

  /// `2026-11-01`, with or without a time of day, with or without a zone.
  private func exact(_ word: String, _ edge: Edge) -> Int? {
    guard let date = ISODate(word) else { return nil }
    if let offset = date.offset { return date.utcSeconds - offset }
    guard !date.hasTime else { return clock.seconds(date.time) }
    var day = date.time
    day.day += edge == .end ? 1 : 0
    return clock.seconds(day).map { edge == .end ? $0 - 1 : $0 }
  }
}

/// An ISO 8601 date of the extended form, as typed on a command line.
private struct ISODate {
  private(set) var time = CivilTime()
  private(set) var hasTime = false
  /// Seconds east of UTC; nil when no zone is given, which means the user's.
  private(set) var offset: Int?

  init?(_ text: String) {
    var rest = text[...]
    guard let year = Self.number(&rest, 4), Self.take(&rest, "-"),
      let month = Self.number(&rest, 2), Self.take(&rest, "-"), let day = Self.number(&rest, 2),
      CivilDate(year: year, month: month, day: day) != nil, year > 0
    else { return nil }
    time = CivilTime(year: year, month: month, day: day)
    if !rest.isEmpty, !readTime(&rest) { return nil }
  }

  /// Seconds since 1970 if the clock were UTC's.
  var utcSeconds: Int { time.utcSeconds }

  private mutating func readTime(_ rest: inout Substring) -> Bool {
    guard Self.take(&rest, "t") || Self.take(&rest, " "), let hour = Self.number(&rest, 2),
      Self.take(&rest, ":"), let minute = Self.number(&rest, 2), hour < 24, minute < 60
    else { return false }
    (time.hour, time.minute, hasTime) = (hour, minute, true)
    if Self.take(&rest, ":") {
      guard let second = Self.number(&rest, 2), second < 60 else { return false }
      time.second = second
      if Self.take(&rest, ".") { rest = rest.drop { $0.isASCII && $0.isNumber } }
    }
    return readZone(&rest)
  }

  private mutating func readZone(_ rest: inout Substring) -> Bool {
    if rest.isEmpty { return true }
    if rest == "z" {
      offset = 0
      return true
    }
    let sign = rest.first == "-" ? -1 : 1
    guard Self.take(&rest, "+") || Self.take(&rest, "-"), let hours = Self.number(&rest, 2),
      hours < 24
    else { return false }
    _ = Self.take(&rest, ":")
    let minutes = rest.isEmpty ? 0 : Self.number(&rest, 2)
    guard let minutes, minutes < 60, rest.isEmpty else { return false }
    offset = sign * (hours * 3600 + minutes * 60)
    return true
  }

  private static func number(_ rest: inout Substring, _ digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    rest = rest.dropFirst(digits)
    return Int(text)
  }

  private static func take(_ rest: inout Substring, _ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }
}
