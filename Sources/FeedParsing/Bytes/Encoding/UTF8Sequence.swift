import System

/// What stands at the start of some bytes that ought to be UTF-8.
enum UTF8Sequence: Hashable, Sendable {
  /// A character of so many bytes.
  case valid(length: Int)
  /// The beginning of a character whose rest is not there yet.
  case incomplete
  /// A maximal subpart (Unicode §3.9): so many bytes stand for one error.
  case invalid(length: Int)
  /// Six bytes that are two UTF-16 surrogates: CESU-8, as some databases write what is above U+FFFF.
  case surrogatePair(UInt32)

  /// Looks at the bytes from `offset`, of which there is at least one.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let lead = bytes[offset]
    if lead == 0xED, offset + 1 < bytes.count, bytes[offset + 1] >= 0xA0 {
      self = Self.surrogates(UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(6)))
      return
    }
    let (scalar, length) = UTF8Scalar.decode(bytes, at: offset)
    if scalar != nil {
      self = .valid(length: length)
    } else {
      let isCut = offset + length == bytes.count && (0xC2...0xF4).contains(lead)
      self = isCut ? .incomplete : .invalid(length: length)
    }
  }

  /// What begins like a surrogate: `ED A0` and above.
  private static func surrogates(_ bytes: UnsafeRawBufferPointer) -> UTF8Sequence {
    let pattern: [ClosedRange<UInt8>] = [
      0xED...0xED, 0xA0...0xAF, 0x80...0xBF, 0xED...0xED, 0xB0...0xBF, 0x80...0xBF,
    ]
    let matched = zip(bytes, pattern).prefix { $1.contains($0) }.count
    if matched == pattern.count {
      let units = [1, 4].map { UInt32(bytes[$0] & 0x0F) << 6 | UInt32(bytes[$0 + 1] & 0x3F) }
      return .surrogatePair(0x10000 + units[0] << 10 + (units[1] & 0x3FF))
    }
    if matched == bytes.count { return .incomplete }
    if matched >= 3 { return .invalid(length: 3) }
    guard bytes.count > 2 else { return bytes[1] > 0xBF ? .invalid(length: 1) : .incomplete }
    let isLow = (0xB0...0xBF).contains(bytes[1]) && (0x80...0xBF).contains(bytes[2])
    return .invalid(length: isLow ? 3 : 1)
  }
}
