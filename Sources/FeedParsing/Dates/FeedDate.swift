internal import CivilDates

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

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
  static let maximumLength = 256

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
    return rfc3339String(Int(min(max(seconds, earliest), latest).rounded(.down)))
  }

  /// Seconds since 1970.
  static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    // PERF NOTES: 99 of 100 dates end here.
    if let seconds = internetSeconds(bytes) ?? mailSeconds(bytes) { return seconds }
    var start = 0
    var end = bytes.count
    while start < end, bytes[start].isASCIISpace { start += 1 }
    while end > start, bytes[end - 1].isASCIISpace { end -= 1 }
    guard start < end, end - start <= maximumLength else { return nil }
    let trimmed = UnsafeBufferPointer(rebasing: bytes[start..<end])
    guard let text = DateText(trimmed) else { return nil }
    var reader = DateReader(text)
    return reader.seconds()
  }

  private static let earliest = -62_167_219_200.0
  private static let latest = 253_402_300_799.0

  private static func rfc3339String(_ seconds: Int) -> String {
    let date = CivilDate(daysSinceEpoch: Int((Double(seconds) / 86_400).rounded(.down)))
    let time = seconds - date.daysSinceEpoch * 86_400
    let fields: [(value: Int, digits: Int, mark: UInt8)] = [
      (date.year, 4, 0x2D), (date.month, 2, 0x2D), (date.day, 2, 0x54), (time / 3600, 2, 0x3A),
      (time / 60 % 60, 2, 0x3A), (time % 60, 2, 0x5A),
    ]
    return String(unsafeUninitializedCapacity: 20) { output in
      var index = 0
      for field in fields {
        for place in 0..<field.digits {
          let power = [1, 10, 100, 1000][field.digits - 1 - place]
          output[index] = 0x30 + UInt8(field.value / power % 10)
          index += 1
        }
        output[index] = field.mark
        index += 1
      }
      return index
    }
  }
}
