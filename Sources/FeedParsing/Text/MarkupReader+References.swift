import System

extension MarkupReader {
  /// Reads a character reference (HTML §13.2.5.72); what is none is text.
  mutating func readReference() {
    if byte(at: index + 1) == 0x23 { readNumericReference() } else { readNamedReference() }
  }

  private mutating func readNamedReference() {
    let start = index + 1
    var end = start
    while end < input.count, end - start < 32, input[end].isASCIILetterOrDigit {
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
    guard let number = NumericReference.read(UnsafeRawBufferPointer(input), at: index) else {
      return appendLiteral()
    }
    output.append(contentsOf: UTF8.encode(Self.scalar(number.value)) ?? .init())
    index += number.length
  }

  /// The character of a number as HTML has it (§13.2.5.80): C1 means windows-1252.
  private static func scalar(_ value: UInt32) -> Unicode.Scalar {
    let value = value < 0x100 ? Windows1252.codePoint(UInt8(value)) ?? value : value
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static let semicolon: UInt8 = 0x3B
}
