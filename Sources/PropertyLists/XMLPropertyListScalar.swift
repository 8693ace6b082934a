internal import System

/// The texts of scalar values in XML property lists.
enum XMLPropertyListScalar {
  /// Decimal, or hexadecimal with `0x`, with an optional sign.
  static func integer(_ text: String) -> PropertyListValue? {
    let trimmed = text.filter { !$0.isWhitespace }
    if let number = Int64(trimmed) { return .integer(number) }
    if let number = UInt64(trimmed) { return .unsigned(number) }
    guard trimmed.lowercased().hasPrefix("0x") else { return nil }
    guard let number = UInt64(trimmed.dropFirst(2), radix: 16) else { return nil }
    return number > UInt64(Int64.max) ? .unsigned(number) : .integer(Int64(number))
  }

  /// `YYYY-MM-DDTHH:MM:SSZ`, as seconds since 2001.
  static func date(_ text: String) -> Double? {
    let trimmed = text.filter { !$0.isWhitespace }
    guard trimmed.hasSuffix("Z"), let separator = trimmed.firstIndex(of: "T") else { return nil }
    let day = trimmed[..<separator].split(separator: "-", omittingEmptySubsequences: false)
    let time = trimmed[trimmed.index(after: separator)...].dropLast().split(separator: ":")
    let numbers = (day + time).map { Int($0) }
    guard numbers.count == 6, let year = numbers[0], let month = numbers[1], let date = numbers[2],
      let hour = numbers[3], let minute = numbers[4], let second = numbers[5],
      (-9999...9999).contains(year), (1...12).contains(month), (1...31).contains(date),
      (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = CivilDate.daysSinceEpoch(year: year, month: month, day: date) - 11_323
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  static func base64(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text.utf8 where byte != UInt8(ascii: "=") {
      if byte == 0x20 || (0x09...0x0d).contains(byte) { continue }
      guard let digit = base64Digit(byte) else { return nil }
      bits = bits << 6 | digit
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  private static func base64Digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
