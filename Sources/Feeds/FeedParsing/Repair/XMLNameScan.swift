import System

/// The characters of XML names (XML 1.0, fifth edition, §2.3).
enum XMLNameScan {
  /// The most bytes of a name.
  ///
  /// Libxml2 refuses documents with names longer than 50,000 bytes; nothing honest comes near this
  /// limit.
  static let maximumLength = 1024

  /// The end of the name that starts at `start`, or `start` itself if there is none.
  @inline(__always)
  static func end(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position < bytes.count, isASCIINameByte(bytes[position]) { position &+= 1 }
    if position == bytes.count || bytes[position] < 0x80 {
      return position > start && isASCIIStart(bytes[start]) ? position : start
    }
    return endSlowly(bytes, from: start)
  }

  private static func endSlowly(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position < bytes.count {
      let (scalar, length) = UTF8Scalar.decode(bytes, at: position)
      guard let point = scalar?.value, position == start ? isStart(point) : isNameCharacter(point)
      else { break }
      position += length
    }
    return position
  }

  static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    (1...maximumLength).contains(bytes.count) && end(bytes, from: 0) == bytes.count
  }

  /// Returns true for letters, digits and `_ : - .`, which are bits of two masks.
  @inline(__always)
  static func isASCIINameByte(_ byte: UInt8) -> Bool {
    guard byte < 0x80 else { return false }
    let bits: UInt64 = byte < 64 ? 0x07FF_6000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return bits >> UInt64(byte & 63) & 1 == 1
  }

  @inline(__always)
  private static func isASCIIStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || (byte >= 0x41 && isASCIINameByte(byte))
  }

  private static func isStart(_ point: UInt32) -> Bool {
    if point < 0x80 { return isASCIIStart(UInt8(point)) }
    return starts.contains { $0.contains(point) }
  }

  private static func isNameCharacter(_ point: UInt32) -> Bool {
    if point < 0x80 { return isASCIINameByte(UInt8(point)) }
    return point == 0xB7 || (0x300...0x36F).contains(point) || point == 0x203F || point == 0x2040
      || isStart(point)
  }

  private static let starts: [ClosedRange<UInt32>] = [
    0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
    0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
    0x10000...0xEFFFF,
  ]
}
