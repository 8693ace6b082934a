/// What stands at the start of some bytes that ought to be UTF-8.
enum UTF8Sequence: Hashable, Sendable {
  /// A character of so many bytes.
  case valid(length: Int)
  /// The beginning of a character whose rest is not there yet.
  case incomplete
  /// A maximal subpart (Unicode §3.9): so many bytes stand for one error.
  case invalid(length: Int)

  /// Looks at the bytes from `offset`, of which there is at least one.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let lead = bytes[offset]
    guard let shape = Shape(lead: lead) else {
      self = lead < 0x80 ? .valid(length: 1) : .invalid(length: 1)
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
