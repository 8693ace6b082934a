internal import CivilDates

// The two forms that nearly all feeds use, read byte by byte without a look at anything else.
// What is the least bit unusual is left to the reader of free forms.
extension FeedDate {
  /// RFC 3339 with seconds: `2003-12-13T18:30:02.25+01:00`.
  static func internetSeconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count >= 20, bytes[4] == hyphen, bytes[7] == hyphen, bytes[10] | 0x20 == 0x74,
      bytes[13] == colon, bytes[16] == colon,
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
      guard bytes[4] == space, isWord(bytes, 0) else { return nil }
      index = 5
    }
    guard let dayOfMonth = dayOfMonth(bytes, &index), index + 17 < bytes.count,
      bytes[index] == space, isWord(bytes, index + 1),
      let month = DateWords.englishMonth(bytes[index + 1], bytes[index + 2], bytes[index + 3]),
      bytes[index + 4] == space,
      let century = twoDigits(bytes, index + 5), let year = twoDigits(bytes, index + 7),
      bytes[index + 9] == space, bytes[index + 12] == colon, bytes[index + 15] == colon,
      let time = timeOfDay(bytes, index + 10),
      let date = CivilDate(year: century * 100 + year, month: month, day: dayOfMonth)
    else { return nil }
    return mailZone(bytes, index + 18).map { date.daysSinceEpoch * 86_400 + time - $0 }
  }

  private static func mailZone(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    guard start < bytes.count, bytes[start] == space else { return nil }
    switch bytes.count - start {
    case 6: return offset(bytes, sign: start + 1, minutes: start + 4)
    case 4: return DateWords.commonZone(bytes[start + 1], bytes[start + 2], bytes[start + 3])
    default: return nil
    }
  }

  private static func dayOfMonth(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ index: inout Int,
  ) -> Int? {
    if let day = twoDigits(bytes, index) {
      index += 2
      return day
    }
    guard bytes[index].isASCIIDigit else { return nil }
    index += 1
    return Int(bytes[index - 1] & 0x0F)
  }

  /// `hh:mm:ss` in seconds; a leap second counts as the first of the next minute.
  private static func timeOfDay(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    guard let hour = twoDigits(bytes, index), let minute = twoDigits(bytes, index + 3),
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
    let (high, low) = (bytes[index] &- 0x30, bytes[index + 1] &- 0x30)
    return high < 10 && low < 10 ? Int(high) * 10 + Int(low) : nil
  }

  private static func isWord(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    bytes[index].isASCIILetter && bytes[index + 1].isASCIILetter && bytes[index + 2].isASCIILetter
  }

  private static let hyphen: UInt8 = 0x2D
  private static let colon: UInt8 = 0x3A
  private static let space: UInt8 = 0x20
}
