package import System

/// Dates as feeds have them: read surely, or not at all.
///
/// RFC 822 and its successors, RFC 3339, the forms of ISO 8601, those of C, HTTP and databases,
/// seconds since 1970, and what people and their programs write in the languages of `DateNames`.
/// Without a zone it is UTC (Korean times of day are Korea's), without a time midnight, without a
/// day the first. The weekday may be wrong. Two-digit years are 1950 to 2049 (RFC 5322 §4.3). What
/// programs print for a date that was never set is none.
///
/// A text that may mean two dates means none: `05/06/2020` is nil, unless the weekday, the language
/// or a clock of twelve hours in an American zone tells which it is. Numbers with points are day,
/// month, year; those with hyphens and without four digits are year, month, day (ISO 8601).
package enum FeedDate {
  static let maximumLength = 128

  package static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(utf8: $0) }
  }

  package static func date(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    seconds(bytes).map { Date(timeIntervalSince1970: Double($0)) }
  }

  /// Returns nil for a year before 1970 or after the last that is expected: it is of another
  /// calendar, or stands for no date.
  static func ofField(
    _ bytes: UnsafeBufferPointer<UInt8>,
    until latest: Int,
    in place: DatePlace? = nil,
  ) -> Date? {
    let seconds = place.map { fields(bytes, in: $0)?.instant } ?? seconds(bytes)
    guard let seconds, 0..<latest ~= seconds else { return nil }
    return Date(timeIntervalSince1970: Double(seconds))
  }

  package static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    // PERF NOTES: 99 of 100 dates end here.
    (CommonDateForm.seconds(bytes) ?? fields(bytes)?.instant).flatMap { isUnset($0) ? nil : $0 }
  }

  /// Recognizes what programs print for a date that was never set: the year 1 (Go, .NET) or one
  /// before it (MySQL), and the first second of 1970, or the one before, which stands for a failure.
  private static func isUnset(_ seconds: Int) -> Bool {
    -1...0 ~= seconds || seconds < yearTwo
  }

  private static let yearTwo = -718_797 * 86_400

  static func fields(
    _ bytes: UnsafeBufferPointer<UInt8>,
    in place: DatePlace? = nil,
  ) -> DateFields? {
    var start = 0
    var end = bytes.count
    while start < end, bytes[start].isASCIISpace { start += 1 }
    while end > start, bytes[end - 1].isASCIISpace { end -= 1 }
    guard start < end, end - start <= maximumLength else { return nil }
    let trimmed = unwrapped(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    return DateText(trimmed).flatMap { DateReader.fields(of: $0, in: place) }
  }

  /// Returns the text in the literal of a program: `/Date(1383132877000+0100)/`, whose zone says
  /// nothing of its instant.
  private static func unwrapped(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    for (start, end) in literals where bytes.hasPrefix(start) && bytes.hasSuffix(end) {
      let inner = bytes.dropFirst(start.utf8CodeUnitCount).dropLast(end.utf8CodeUnitCount)
      let isEpoch = bytes[0] == UInt8(ascii: "/")
      return UnsafeBufferPointer(
        rebasing: isEpoch ? inner.prefix(while: \.isASCIIDigit) : inner
      )
    }
    return bytes
  }

  private static let literals: [(StaticString, StaticString)] = [
    ("/Date(", ")/"), ("~U[", "]"), ("~N[", "]"), ("#inst \"", "\""), ("\"", "\""),
  ]
}

/// The two forms that nearly all feeds use, read byte by byte.
///
/// A date with anything unusual is left to the reader of free forms.
struct CommonDateForm {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var (internet, mail) = (Self(rest: bytes[...]), Self(rest: bytes[...]))
    return internet.internetSeconds() ?? mail.mailSeconds()
  }

  /// Reads RFC 3339 with seconds: `2003-12-13T18:30:02.25+01:00`.
  private mutating func internetSeconds() -> Int? {
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      skip("t") || skip("T"), let date = CivilDate(year: year, month: month, day: day),
      let time = timeOfDay()
    else { return nil }
    if skip(".") {
      guard number(1) != nil else { return nil }
      rest = rest.drop(while: \.isASCIIDigit)
    }
    let local = date.daysSinceEpoch * 86_400 + time
    if skip("z") || skip("Z") { return rest.isEmpty ? local : nil }
    return offset(hasColon: true).map { local - $0 }
  }

  /// Reads RFC 822 with a four-digit year and seconds: `Sat, 07 Sep 2002 00:00:01 GMT`.
  private mutating func mailSeconds() -> Int? {
    if rest.prefix(3).allSatisfy(\.isASCIILetter) {
      rest = rest.dropFirst(3)
      guard skip(","), skip(" ") else { return nil }
    }
    guard let day = number(2) ?? number(1), skip(" "), let month = month(), skip(" "),
      let year = number(4), skip(" "), let date = CivilDate(year: year, month: month, day: day),
      let time = timeOfDay(), skip(" ")
    else { return nil }
    let local = date.daysSinceEpoch * 86_400 + time
    return zone(atLocal: local).map { local - $0 }
  }

  private mutating func month() -> Int? {
    guard rest.count >= 3 else { return nil }
    let start = rest.startIndex
    defer { rest = rest.dropFirst(3) }
    return CalendarName.month(rest[start], rest[start + 1], rest[start + 2])
  }

  /// Reads `hh:mm:ss`; a leap second counts as the first of the next minute.
  private mutating func timeOfDay() -> Int? {
    guard let hour = number(2), skip(":"), let minute = number(2), skip(":"),
      let second = number(2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private mutating func zone(atLocal local: Int) -> Int? {
    guard rest.count == 3 else { return offset(hasColon: false) }
    if rest.elementsEqual("GMT".utf8) { return 0 }
    return TimeZoneName(String(decoding: rest, as: UTF8.self).lowercased())?.offset(atLocal: local)
  }

  private mutating func offset(hasColon: Bool) -> Int? {
    let isWest = skip("-")
    guard isWest || skip("+"), let hour = number(2), !hasColon || skip(":"),
      let minute = number(2), rest.isEmpty, hour < 24, minute < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hour * 3600 + minute * 60)
  }

  private mutating func number(_ digits: Int) -> Int? {
    let taken = rest.prefix(digits)
    guard taken.count == digits, taken.allSatisfy(\.isASCIIDigit) else { return nil }
    rest = rest.dropFirst(digits)
    return taken.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
