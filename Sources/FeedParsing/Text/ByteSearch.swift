/// Looks for bytes eight at a time.
enum ByteSearch {
  private static let lessThan: UInt8 = 0x3C
  private static let ampersand: UInt8 = 0x26

  /// The index of the first `<` or `&` from a start to a limit, or the limit if there is none.
  static func firstMarkup(
    in bytes: UnsafeBufferPointer<UInt8>,
    from start: Int,
    to limit: Int,
  ) -> Int {
    first(lessThan, or: ampersand, in: bytes, from: start, to: limit)
  }

  /// The index of the first of two bytes from a start to a limit, or the limit if there is neither.
  @inline(__always)
  static func first(
    _ one: UInt8,
    or other: UInt8,
    in bytes: UnsafeBufferPointer<UInt8>,
    from start: Int,
    to limit: Int,
  ) -> Int {
    var index = start
    while index + 8 <= limit {
      let word = word(of: bytes, at: index)
      guard (zeros(in: word ^ each(one)) | zeros(in: word ^ each(other))) == 0 else { break }
      index += 8
    }
    while index < limit, bytes[index] != one, bytes[index] != other { index += 1 }
    return index
  }

  /// The index of the first such byte, or nil if there is none.
  static func first(
    _ byte: UInt8,
    in bytes: UnsafeBufferPointer<UInt8>,
    from start: Int,
  ) -> Int? {
    var index = start
    while index + 8 <= bytes.count, zeros(in: word(of: bytes, at: index) ^ each(byte)) == 0 {
      index += 8
    }
    while index < bytes.count {
      if bytes[index] == byte { return index }
      index += 1
    }
    return nil
  }

  @inline(__always)
  private static func word(of bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt64 {
    UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  @inline(__always)
  private static func each(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* 0x0101_0101_0101_0101
  }

  /// Not zero if a byte of the word is.
  @inline(__always)
  private static func zeros(in word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// The index of the end tag `</name` (any case) that begins in a range, or nil.
  static func endTag(
    of name: Slice<UnsafeBufferPointer<UInt8>>,
    in bytes: UnsafeBufferPointer<UInt8>,
    range: Range<Int>,
  ) -> Int? {
    var start = range.lowerBound
    while let index = first(lessThan, in: bytes, from: start), index < range.upperBound {
      start = index + 1
      let end = index + 2 + name.count
      guard end <= bytes.count, bytes[index + 1] == 0x2F else { continue }
      let isSame = bytes[(index + 2)..<end].elementsEqual(name) { $0 | 0x20 == $1 | 0x20 }
      if isSame, end == bytes.count || !bytes[end].isNamePart { return index }
    }
    return nil
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
  var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  /// Part of the name of an element, with the prefixes and hyphens of other vocabularies.
  var isNamePart: Bool {
    isASCIILetter || isASCIIDigit || self == 0x2D || self == 0x3A || self == 0x5F
  }
}
