extension UInt8 {
  @inlinable package var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
  @inlinable package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
  @inlinable package var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// Space, tab, line feed, carriage return (XML 1.0 §2.3, RFC 8259 §2).
  @inlinable package var isXMLWhitespace: Bool {
    self == 0x20 || (self <= 0x0D && (self == 0x0A || self == 0x09 || self == 0x0D))
  }

  @inlinable package var asciiLowercased: UInt8 {
    self &- 0x41 < 26 ? self | 0x20 : self
  }

  @inlinable package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x61 + 10
    default: nil
    }
  }

  /// RFC 3986 §2.3.
  @inlinable package var isUnreservedInURL: Bool {
    isASCIILetterOrDigit || self == 0x2D || self == 0x2E || self == 0x5F || self == 0x7E
  }

  @inlinable package var percentEscape: [UInt8] {
    let (high, low) = (self >> 4, self & 0x0F)
    return [0x25, high < 10 ? 0x30 + high : 0x37 + high, low < 10 ? 0x30 + low : 0x37 + low]
  }
}

extension Collection<UInt8> {
  /// The number that digits alone write, `Int.max` for a larger one; nil for other bytes.
  @inlinable package var decimalValue: Int? {
    guard !isEmpty else { return nil }
    var value = 0
    for byte in self {
      guard byte.isASCIIDigit else { return nil }
      let (tens, isLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = tens.addingReportingOverflow(Int(byte & 0x0F))
      value = isLarge || isTooLarge ? .max : sum
    }
    return value
  }
}

extension BinaryInteger {
  package func padded(to width: Int, radix: Int = 10, uppercase: Bool = false) -> String {
    let digits = String(self, radix: radix, uppercase: uppercase)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension UInt64 {
  package var hexadecimal: String { withHexadecimal(\.string) }

  /// Calls `body` with sixteen digits.
  ///
  /// PERF: inlined; otherwise a type is made of `R` in each call, in a thousand instructions.
  @inlinable package func withHexadecimal<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * index)) & 15
        digits.initializeElement(at: index, to: digit < 10 ? 0x30 + digit : 0x61 - 10 + digit)
      }
      return body(UnsafeBufferPointer(digits))
    }
  }
}

/// A string as a binary property list holds it, valid as long as the list's bytes.
package enum StringBytes {
  case ascii(UnsafeRawBufferPointer)
  /// Code units, most significant byte first; surrogates may stand alone.
  case utf16BigEndian(UnsafeRawBufferPointer)
}

package enum Count {
  package static func of(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) " + (number == 1 ? one : many ?? one + "s")
  }

  package static func stories(_ number: Int) -> String {
    of(number, "story", "stories")
  }
}

extension Sequence<UInt8> {
  @inlinable package func percentEncoded(unless isPlain: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    for byte in self {
      if isPlain(byte) { bytes.append(byte) } else { bytes += byte.percentEscape }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the bytes with escapes decoded; anything that is no escape stays.
  package func percentDecoded() -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(self)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap(\.hexadecimalValue)
      if byte == 0x25, digits.count == 2 {
        bytes.append(digits[0] << 4 | digits[1])
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

extension [UInt8] {
  /// Appends U+FFFD for a number that is no character.
  @inlinable @inline(__always)
  package mutating func append(codePoint: UInt32) {
    if codePoint < 0x80 {
      append(UInt8(codePoint))
    } else {
      append(contentsOf: (Unicode.Scalar(codePoint) ?? "\u{FFFD}").utf8)
    }
  }
}

/// FNV-1a in 64 bits: the same for ever for the same bytes, and quick.
package enum FNV1a {
  // PERF: not of any sequence, which costs a fortieth of reading clean RSS.
  package static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  package static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8(hash)
  }

  /// Returns a hash by eight bytes at once, mixed each time, which is another one.
  ///
  /// PERF: byte by byte it took a tenth of a fetch.
  package static func hash(words bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    let words = bytes.count / 8
    for word in 0..<words {
      let value = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
      )
      hash = (hash ^ value) &* 0x100_0000_01B3
      hash ^= hash >> 29
    }
    for byte in bytes[(words * 8)...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}

/// Base64 (RFC 4648 §4) of documents: white space anywhere, padding optional.
@usableFromInline package enum Base64 {
  @inlinable package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var isPadded = false
    for byte in text where !byte.isXMLWhitespace {
      if byte == UInt8(ascii: "=") {
        isPadded = true
        continue
      }
      guard !isPadded, let value = value(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // Six bits left over are not a byte.
    return count == 6 ? nil : result
  }

  @inlinable static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

/// Returns the number of letters wrong, missing, too many or swapped with their neighbour.
///
/// The optimal string alignment distance.
@inlinable package func editDistance<Letter: Equatable>(_ left: [Letter], _ right: [Letter]) -> Int
{
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let wrong = last[j] + (left[i] == right[j] ? 0 : 1)
      var best = min(wrong, last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        best = min(best, beforeLast[j - 1] + 1)
      }
      row.append(best)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
