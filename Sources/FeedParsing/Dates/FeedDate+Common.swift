internal import System

// The two forms that nearly all feeds use, read byte by byte without a look at anything else.
// What is the least bit unusual is left to the reader of free forms.
extension FeedDate {
  /// RFC 3339 with seconds: `2003-12-13T18:30:02.25+01:00`.
  static func internetSeconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count >= 20, bytes[4] == hyphen, bytes[7] == hyphen, bytes[10] | 0x20 == 0x74,
      let century = twoDigits(bytes, 0), let year = twoDigits(bytes, 2),
      let month = twoDigits(bytes, 5), let day = twoDigits(bytes, 8),
      let date = CivilDate(year: century * 100 + year, month: month, day: day),
      let time = timeOfDay(bytes, 11)
    else { return nil }
    var index = 19
    if bytes[index] == 0x2E {
      index += 1
      while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
      guard index > 20, index < bytes.count else { return nil }
    }
    let local = date.daysSinceEpoch * 86_400 + time
    if bytes[index] | 0x20 == 0x7A { return index + 1 == bytes.count ? local : nil }
    guard index + 6 == bytes.count, bytes[index + 3] == colon else { return nil }
    return offset(bytes, sign: index, minutes: index + 4).map { local - $0 }
  }

  /// RFC 822 with a four-digit year and seconds: `Sat, 07 Sep 2002 00:00:01 GMT`.
  static func mailSeconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count >= 23 else { return nil }
    var index = 0
    if bytes[3] == 0x2C {
      guard bytes[4] == space, bytes[..<3].allSatisfy(\.isASCIILetter) else { return nil }
      index = 5
    }
    let isShort = bytes[index + 1] == space
    guard let day = isShort ? digit(bytes[index]) : twoDigits(bytes, index) else { return nil }
    index += isShort ? 1 : 2
    guard index + 18 < bytes.count, bytes[index] == space, bytes[index + 4] == space,
      bytes[index + 9] == space, bytes[index + 18] == space,
      let month = CalendarName.month(bytes[index + 1], bytes[index + 2], bytes[index + 3]),
      let century = twoDigits(bytes, index + 5), let year = twoDigits(bytes, index + 7),
      let date = CivilDate(year: century * 100 + year, month: month, day: day),
      let time = timeOfDay(bytes, index + 10)
    else { return nil }
    let local = date.daysSinceEpoch * 86_400 + time
    return mailOffset(bytes, index + 19, atLocal: local).map { local - $0 }
  }

  /// A zone in seconds east of Greenwich: `+hhmm`, or a name of three letters.
  private static func mailOffset(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    atLocal local: Int,
  ) -> Int? {
    let name = bytes[start...]
    return switch name.count {
    case 5: offset(bytes, sign: start, minutes: start + 3)
    case 3 where name.elementsEqual("GMT".utf8): 0
    case 3:
      TimeZoneName(String(decoding: name, as: UTF8.self).lowercased())?.offset(atLocal: local)
    default: nil
    }
  }

  /// `hh:mm:ss` in seconds; a leap second counts as the first of the next minute.
  private static func timeOfDay(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    guard bytes[index + 2] == colon, bytes[index + 5] == colon,
      let hour = twoDigits(bytes, index), let minute = twoDigits(bytes, index + 3),
      let second = twoDigits(bytes, index + 6), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// A numeric zone, in seconds east of Greenwich.
  private static func offset(
    _ bytes: UnsafeBufferPointer<UInt8>,
    sign: Int,
    minutes: Int,
  ) -> Int? {
    guard bytes[sign] == 0x2B || bytes[sign] == hyphen, let hour = twoDigits(bytes, sign + 1),
      let minute = twoDigits(bytes, minutes), hour < 24, minute < 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60
    return bytes[sign] == hyphen ? -seconds : seconds
  }

  private static func twoDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    guard let tens = digit(bytes[index]), let ones = digit(bytes[index + 1]) else { return nil }
    return tens * 10 + ones
  }

  private static func digit(_ byte: UInt8) -> Int? {
    byte.isASCIIDigit ? Int(byte & 0x0F) : nil
  }

  private static let hyphen: UInt8 = 0x2D
  private static let colon: UInt8 = 0x3A
  private static let space: UInt8 = 0x20
}
