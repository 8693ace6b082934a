package import CommandLine
package import System

/// A point in time as people type it: `2026-11-01`, an ISO date and time, `today`, `yesterday`,
/// `tuesday`, `last week`, `3d`, `2h`, `1w`.
package struct TimeExpression {
  package let clock: WallClock

  package init(clock: WallClock) {
    self.clock = clock
  }

  package static let since = CommandOption(
    "since",
    value: "WHEN",
    help: "not older than WHEN: 2026-11-01, tuesday, last week, 3d, 2h",
  )

  package enum Edge {
    case start
    case end
  }

  /// Returns seconds since 1970, or nil when the text has none of the forms.
  ///
  /// A day named as a bound includes the whole day: `edge` is its start for `--since`, its end for
  /// `--until`.
  package func seconds(_ text: String, edge: Edge) -> Int? {
    let word = text.lowercased()
    switch word {
    case "now": return now
    case "today": return day(offset: 0, edge)
    case "yesterday": return day(offset: -1, edge)
    default: return ago(word) ?? named(word, edge) ?? exact(word, edge)
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

  /// Reads `tuesday` and `last tuesday`, the latest before today; `last week`, from Monday to
  /// Sunday; `this month`.
  private func named(_ word: String, _ edge: Edge) -> Int? {
    let today = clock.civilTime(now)
    guard let date = CivilDate(year: today.year, month: today.month, day: today.day) else {
      return nil
    }
    let words = word.split(separator: " ")
    guard let name = words.last,
      words.count == 1 || words.count == 2 && ["last", "this"].contains(words[0])
    else { return nil }
    let isLast = words[0] == "last"
    if let weekday = Self.weekday(name), words[0] != "this" {
      return day(offset: -((date.weekday - weekday + 6) % 7 + 1), edge)
    }
    guard words.count == 2 else { return nil }
    switch name {
    case "week":
      let monday = -((date.weekday + 6) % 7) - (isLast ? 7 : 0)
      return day(offset: edge == .start ? monday : monday + 6, edge)
    case "month":
      let month = today.year * 12 + today.month - 1 - (isLast ? 1 : 0)
      return edge == .start ? start(ofMonth: month) : start(ofMonth: month + 1).map { $0 - 1 }
    default: return nil
    }
  }

  private static func weekday(_ name: Substring) -> Int? {
    CalendarName.weekdays.firstIndex { day in
      day.lowercased() == name || day.prefix(3).lowercased() == name
    }
  }

  private func start(ofMonth month: Int) -> Int? {
    clock.seconds(CivilTime(year: month / 12, month: month % 12 + 1, day: 1))
  }

  /// Reads `3d`, `2 h`, `1w ago`.
  private func ago(_ word: String) -> Int? {
    let text = word.hasSuffix(" ago") ? word.dropLast(4) : word[...]
    guard let (number, unit) = Self.quantity(text) else { return nil }
    if let length = Self.seconds(in: unit) { return now - number * length }
    return months(unit).flatMap { monthsAgo(number * $0) }
  }

  /// Reads `30min`, `6h`, `2 days`, `1w`; nil for other forms, such as months.
  package static func duration(_ text: String) -> Duration? {
    guard let (number, unit) = quantity(text.lowercased()[...]), let length = seconds(in: unit)
    else {
      return nil
    }
    return .seconds(number * length)
  }

  package static func text(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    let units = [(604_800, "w"), (86_400, "d"), (3600, "h")]
    let (length, unit) = units.first { seconds % $0.0 == 0 } ?? (60, "min")
    return "\(seconds / length)\(unit)"
  }

  private static func quantity(_ text: Substring) -> (number: Int, unit: Substring)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number <= 100_000 else { return nil }
    return (number, text.dropFirst(digits.count).drop { $0 == " " })
  }

  private static func seconds(in unit: Substring) -> Int? {
    switch unit {
    case "min", "mins", "minute", "minutes": 60
    case "h", "hour", "hours": 3600
    case "d", "day", "days": 86_400
    case "w", "week", "weeks": 7 * 86_400
    default: nil
    }
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

  /// Reads an ISO 8601 date of the extended form, with or without a time of day, with or without a
  /// zone.
  private func exact(_ word: String, _ edge: Edge) -> Int? {
    var rest = word[...]
    guard let date = Self.numbers(&rest, [4, 2, 2], "-"), date[0] > 0,
      CivilDate(year: date[0], month: date[1], day: date[2]) != nil
    else { return nil }
    var time = CivilTime(year: date[0], month: date[1], day: date[2])
    if rest.isEmpty { return day(time, edge) }
    guard let mark = rest.popFirst(), "t ".contains(mark),
      let clockTime = Self.numbers(&rest, [2, 2], ":"), clockTime[0] < 24, clockTime[1] < 60
    else { return nil }
    (time.hour, time.minute) = (clockTime[0], clockTime[1])
    if rest.first == ":" {
      rest.removeFirst()
      guard let second = Self.numbers(&rest, [2], ":")?[0], second < 60 else { return nil }
      time.second = second
      if rest.first == "." { rest = rest.dropFirst().drop { $0.isASCII && $0.isNumber } }
    }
    return rest.isEmpty ? clock.seconds(time) : Self.offset(rest).map { time.utcSeconds - $0 }
  }

  /// Reads `z`, `+01:00`, `-0330`, `+02` as seconds east of UTC.
  private static func offset(_ zone: Substring) -> Int? {
    if zone == "z" { return 0 }
    var rest = zone
    guard let sign = rest.popFirst(), "+-".contains(sign),
      let hours = numbers(&rest, [2], ":")?[0], hours < 24
    else { return nil }
    if rest.first == ":" { rest.removeFirst() }
    let minutes = rest.isEmpty ? 0 : numbers(&rest, [2], ":")?[0]
    guard let minutes, minutes < 60, rest.isEmpty else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func numbers(
    _ rest: inout Substring,
    _ widths: [Int],
    _ separator: Character,
  ) -> [Int]? {
    var numbers: [Int] = []
    for width in widths {
      if !numbers.isEmpty, rest.popFirst() != separator { return nil }
      let digits = rest.prefix(width)
      guard digits.count == width, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
        let number = Int(digits)
      else { return nil }
      numbers.append(number)
      rest = rest.dropFirst(width)
    }
    return numbers
  }

  private func day(_ start: CivilTime, _ edge: Edge) -> Int? {
    var time = start
    time.day += edge == .end ? 1 : 0
    return clock.seconds(time).map { edge == .end ? $0 - 1 : $0 }
  }
}
