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
}
