import CivilDates

/// A date in the user's own form, as `strftime` writes it in the C locale (POSIX).
///
/// Its own and not the C library's: the same words on every system and in every locale, and nothing
/// that the length or the conversions of a text from outside could break.
struct DateFormat: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case text(String)
    case conversion(Character)
  }

  /// A conversion that does not exist.
  struct Unknown: Error, Hashable {
    let conversion: String
  }

  /// What may follow the per cent sign.
  static let conversions: Set<Character> = [
    "%", "n", "t", "Y", "C", "y", "m", "b", "h", "B", "d", "e", "j", "a", "A", "u", "w", "G", "V",
    "H", "I", "k", "l", "M", "S", "p", "s", "z", "Z", "F", "D", "T", "R", "c", "x", "X", "r",
  ]

  private let pieces: [Piece]

  /// Reads a form such as `%Y-%m-%d`.
  init(_ text: String) throws(Unknown) {
    var pieces: [Piece] = []
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        pieces.append(.text(String(character)))
        continue
      }
      guard let conversion = rest.popFirst(), Self.conversions.contains(conversion) else {
        throw Unknown(conversion: String(text[..<rest.startIndex].suffix(2)))
      }
      pieces.append(.conversion(conversion))
    }
    self.pieces = pieces
  }

  /// An instant, in seconds since 1970, as the clock here shows it.
  func text(_ instant: Int, clock: WallClock) -> String {
    let moment = Moment(instant: instant, clock: clock, time: clock.civilTime(instant))
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .conversion(let conversion): moment.text(conversion)
      }
    }.joined()
  }
}

/// An instant and the time here, in parts.
private struct Moment {
  let instant: Int
  let clock: WallClock
  let time: CivilTime

  func text(_ conversion: Character) -> String {
    switch conversion {
    case "%": "%"
    case "n": "\n"
    case "t": "\t"
    case "s": String(instant)
    case "z": clock.offsetText(instant)
    case "Z": clock.zone(instant)
    case "F", "D", "T", "R", "c", "x", "X", "r": composed(conversion)
    case "H", "I", "k", "l", "M", "S", "p": timeOfDay(conversion)
    default: date(conversion)
    }
  }

  private func composed(_ conversion: Character) -> String {
    let parts: String =
      switch conversion {
      case "F": "Y-m-d"
      case "D", "x": "m/d/y"
      case "R": "H:M"
      case "r": "I:M:S p"
      case "c": "a b e H:M:S Y"
      default: "H:M:S"
      }
    return parts.map { $0.isLetter ? text($0) : String($0) }.joined()
  }

  private func timeOfDay(_ conversion: Character) -> String {
    let half = (time.hour + 11) % 12 + 1
    return switch conversion {
    case "H": CivilTime.padded(time.hour)
    case "I": CivilTime.padded(half)
    case "k": TerminalText.right(String(time.hour), in: 2)
    case "l": TerminalText.right(String(half), in: 2)
    case "M": CivilTime.padded(time.minute)
    case "S": CivilTime.padded(time.second)
    default: time.hour < 12 ? "AM" : "PM"
    }
  }

  private func date(_ conversion: Character) -> String {
    switch conversion {
    case "Y": String(time.year)
    case "C": CivilTime.padded(time.year / 100)
    case "y": CivilTime.padded(time.year % 100)
    case "m": CivilTime.padded(time.month)
    case "b", "h": CalendarName.shortMonth(time.month)
    case "B": CalendarName.month(time.month)
    case "d": CivilTime.padded(time.day)
    case "e": TerminalText.right(String(time.day), in: 2)
    case "j": CivilTime.padded(time.dayOfYear, 3)
    case "a": CalendarName.shortWeekday(time.weekday)
    case "A": CalendarName.weekday(time.weekday)
    case "u": String((time.weekday + 6) % 7 + 1)
    case "w": String(time.weekday)
    case "G": String(time.week.year)
    default: CivilTime.padded(time.week.number)
    }
  }
}
