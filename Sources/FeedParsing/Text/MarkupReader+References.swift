extension MarkupReader {
  /// Reads a character reference (HTML §13.2.5.72); what is none is text.
  mutating func readReference() {
    if byte(at: index + 1) == 0x23 { readNumericReference() } else { readNamedReference() }
  }

  private mutating func readNamedReference() {
    let start = index + 1
    var end = start
    while end < input.count, end - start < 32, input[end].isASCIILetter || input[end].isASCIIDigit {
      end += 1
    }
    let name = input[start..<end]
    if byte(at: end) == Self.semicolon, let frequent = HTMLEntities.frequent(name) {
      output.append(
        contentsOf: UnsafeBufferPointer(
          start: frequent.utf8Start,
          count: frequent.utf8CodeUnitCount,
        )
      )
      index = end + 1
      return
    }
    if byte(at: end) == Self.semicolon,
      let bytes = HTMLEntities.codePoints(named: UnsafeBufferPointer(rebasing: name))
    {
      output.append(contentsOf: bytes)
      index = end + 1
      return
    }
    // The shortest is `lt`: most lone ampersands need no look at the table.
    let length = name.count >= 2 ? HTMLEntities.legacyPrefix(of: name) : 0
    let legacy = UnsafeBufferPointer(rebasing: name.prefix(length))
    guard let bytes = HTMLEntities.codePoints(named: legacy) else { return appendLiteral() }
    output.append(contentsOf: bytes)
    index = start + length
  }

  private mutating func readNumericReference() {
    let isHexadecimal = byte(at: index + 2) | 0x20 == 0x78
    let radix: UInt32 = isHexadecimal ? 16 : 10
    let start = index + (isHexadecimal ? 3 : 2)
    var end = start
    var value: UInt32 = 0
    while end < input.count, let digit = Self.digit(input[end], radix: radix) {
      value = min(value * radix + digit, 0x11_0000)
      end += 1
    }
    guard end > start else { return appendLiteral() }
    output.append(contentsOf: UTF8.encode(Self.scalar(value)) ?? .init())
    index = byte(at: end) == Self.semicolon ? end + 1 : end
  }

  private static func digit(_ byte: UInt8, radix: UInt32) -> UInt32? {
    if byte.isASCIIDigit { return UInt32(byte & 0x0F) }
    let lower = byte | 0x20
    guard radix == 16, (0x61...0x66).contains(lower) else { return nil }
    return UInt32(lower - 0x61 + 10)
  }

  /// The character of a number as HTML has it (§13.2.5.80): C1 means windows-1252.
  private static func scalar(_ value: UInt32) -> Unicode.Scalar {
    let value = (0x80...0x9F).contains(value) ? UInt32(windows1252[Int(value) - 0x80]) : value
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static let semicolon: UInt8 = 0x3B

  /// What windows-1252 has at 0x80 to 0x9F (<https://encoding.spec.whatwg.org/#windows-1252>).
  private static let windows1252: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
  ]
}
