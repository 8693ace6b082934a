package import System

/// Dates as feeds have them: read surely, or not at all.
///
/// RFC 822 and its successors, RFC 3339, the forms of ISO 8601, those of C, HTTP and databases,
/// seconds since 1970, and what people and their programs write in some twenty languages. Without
/// a zone it is UTC (Korean times of day are Korea's), without a time midnight, without a day the
/// first. The weekday may be wrong. Two-digit years are 1950 to 2049 (RFC 5322 §4.3).
///
/// A text that may mean two dates means none: `05/06/2020` is nil, unless the weekday, the language
/// or a clock of twelve hours in an American zone tells which it is. Numbers with points are day,
/// month, year; those with hyphens and without four digits are year, month, day (ISO 8601).
package enum FeedDate {
  /// Bytes of the longest text that is looked at.
  static let maximumLength = 128

  /// The instant that a text means, to the second; nil when it does not surely mean one.
  package static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(utf8: $0) }
  }

  /// The same of UTF-8 bytes.
  package static func date(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    seconds(bytes).map { Date(timeIntervalSince1970: Double($0)) }
  }

  /// The instant as `YYYY-MM-DDTHH:MM:SSZ`.
  ///
  /// Instants outside the years 0 to 9999 become the nearest that has this form.
  package static func rfc3339String(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    guard seconds == seconds else { return "0000-01-01T00:00:00Z" }
    let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799).rounded(.down)
    let day = CivilDate(daysSinceEpoch: Int((clamped / 86_400).rounded(.down)))
    let time = Int(clamped) - day.daysSinceEpoch * 86_400
    var text = Array("0000-00-00T00:00:00Z".utf8)
    for (number, end) in [
      (day.year, 4), (day.month, 7), (day.day, 10), (time / 3600, 13), (time / 60 % 60, 16),
      (time % 60, 19),
    ] {
      var (rest, index) = (number, end)
      while rest > 0 {
        index -= 1
        text[index] += UInt8(rest % 10)
        rest /= 10
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Seconds since 1970.
  static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    // PERF NOTES: 99 of 100 dates end here.
    if let seconds = CommonDateForm.seconds(bytes) { return seconds }
    var start = 0
    var end = bytes.count
    while start < end, bytes[start].isASCIISpace { start += 1 }
    while end > start, bytes[end - 1].isASCIISpace { end -= 1 }
    guard start < end, end - start <= maximumLength else { return nil }
    let trimmed = UnsafeBufferPointer(rebasing: bytes[start..<end])
    return DateText(trimmed).flatMap(DateReader.fields)?.instant
  }
}
