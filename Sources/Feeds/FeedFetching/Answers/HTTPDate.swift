package import System

/// Reads HTTP dates in their three forms (RFC 9110 §5.6.7); they are in GMT, whatever they say.
package enum HTTPDate {
  /// Returns the instant of a date, or nil when the text is not surely one.
  ///
  /// - `Sun, 06 Nov 1994 08:49:37 GMT`
  /// - `Sunday, 06-Nov-94 08:49:37 GMT`
  /// - `Sun Nov  6 08:49:37 1994`
  package static func date(_ text: String) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    var words = Array(text.utf8).split { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D }
    guard words.count >= 5 else { return nil }
    words.removeFirst()
    if CalendarName.month(short: words[0]) != nil {
      // asctime: month, day, time, year
      words = [words[1], words[0], words[3], words[2]]
    }
    return date(day: words[0], month: words[1], year: words[2], time: words[3])
  }

  /// Returns the time of a `Last-Modified` that may be sent back; nil for garbage, and for a
  /// clock's zero.
  static func validator(_ text: String) -> Date? {
    guard HTTPField.isSafe(text), let time = date(text), time.timeIntervalSince1970 > 0 else {
      return nil
    }
    return time
  }

  private typealias Word = ArraySlice<UInt8>

  private static func date(day: Word, month: Word, year: Word, time: Word) -> Date? {
    guard let day = number(day, 1...31), let month = CalendarName.month(short: month),
      let year = fullYear(year)
    else { return nil }
    let parts = time.split(separator: 0x3A, omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(parts[0], 0...23),
      let minute = number(parts[1], 0...59), let second = number(parts[2], 0...60)
    else { return nil }
    let days = CivilDate.daysSinceEpoch(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  /// Reads two digits as a year from 1970 to 2069.
  private static func fullYear(_ word: Word) -> Int? {
    guard let year = number(word, 0...9_999) else { return nil }
    switch word.count {
    case 2: return year < 70 ? 2_000 + year : 1_900 + year
    case 4: return year
    default: return nil
    }
  }

  private static func number(_ word: Word, _ range: ClosedRange<Int>) -> Int? {
    word.decimalValue.flatMap { range.contains($0) ? $0 : nil }
  }
}

enum HTTPField {
  /// Removes the white space around a value (RFC 9110 §5.6.3).
  static func trimmed(_ text: some StringProtocol) -> String {
    var bytes = Array(text.utf8).drop(while: \.isXMLWhitespace)
    while bytes.last?.isXMLWhitespace == true { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns true for a value that may be kept, and sent back in a header: printable ASCII, at most
  /// 1 KiB.
  ///
  /// A line break in a server's value would be an injection into a later request.
  static func isSafe(_ value: String) -> Bool {
    !value.isEmpty && value.utf8.count <= 1_024
      && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
