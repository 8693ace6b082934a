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
    guard let shape = Shape(lead: lead) else {
      self = lead < 0x80 ? .valid(length: 1) : .invalid(length: 1)
      return
    }
    if lead == 0xED, offset + 1 < bytes.count, bytes[offset + 1] >= 0xA0 {
      self = Self.surrogates(UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(6)))
      return
    }
    var length = 1
    while length < shape.length {
      guard offset + length < bytes.count else {
        self = .incomplete
        return
      }
      let allowed = length == 1 ? shape.second : 0x80...0xBF
      guard allowed.contains(bytes[offset + length]) else {
        self = .invalid(length: length)
        return
      }
      length += 1
    }
    self = .valid(length: length)
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

  /// Table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
  private struct Shape {
    let length: Int
    let second: ClosedRange<UInt8>

    init?(lead: UInt8) {
      switch lead {
      case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return nil
      }
    }
  }
}
