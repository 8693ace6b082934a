extension TextEncoding {
  /// Some bytes of this encoding in UTF-8, which may still hold what XML forbids; nil where they are
  /// UTF-8 already.
  ///
  /// - Throws: `unsupportedEncoding` when the C library lacks the encoding, `limitExceeded`.
  func utf8(
    _ bytes: UnsafeRawBufferPointer,
    maximumBytes: Int,
  ) throws(FeedParsingError) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(min(bytes.count + bytes.count / 8, maximumBytes))
    switch form {
    case .utf8: return nil
    case .utf16(let order):
      try WideDecoder(unitSize: 2, order: order).convert(bytes, into: &output, maximumBytes)
    case .utf32(let order):
      try WideDecoder(unitSize: 4, order: order).convert(bytes, into: &output, maximumBytes)
    case .windows1252:
      try SingleByteTable.windows1252.convert(bytes, into: &output, maximumBytes)
    case .singleByte:
      guard let table = SingleByteTable(self) else { throw .unsupportedEncoding(name) }
      try table.convert(bytes, into: &output, maximumBytes)
    case .multiByte:
      guard let converter = IconvConverter(self) else { throw .unsupportedEncoding(name) }
      try converter.convert(bytes, into: &output, maximumBytes)
    }
    return output
  }
}

extension [UInt8] {
  /// Adds a character in UTF-8; what is no character becomes U+FFFD.
  @inline(__always)
  mutating func append(codePoint: UInt32) {
    switch codePoint {
    case 0..<0x80: append(UInt8(codePoint))
    case 0x80..<0x800:
      append(UInt8(0xC0 | codePoint >> 6))
      append(UInt8(0x80 | codePoint & 0x3F))
    case 0xD800..<0xE000, 0x11_0000...: append(codePoint: 0xFFFD)
    case 0x800..<0x1_0000:
      append(UInt8(0xE0 | codePoint >> 12))
      append(UInt8(0x80 | codePoint >> 6 & 0x3F))
      append(UInt8(0x80 | codePoint & 0x3F))
    default:
      append(UInt8(0xF0 | codePoint >> 18))
      append(UInt8(0x80 | codePoint >> 12 & 0x3F))
      append(UInt8(0x80 | codePoint >> 6 & 0x3F))
      append(UInt8(0x80 | codePoint & 0x3F))
    }
  }

  /// - Throws: `limitExceeded` when there are more bytes than a document may have.
  func check(maximumBytes: Int) throws(FeedParsingError) {
    guard count <= maximumBytes else {
      throw .limitExceeded(name: "decoded bytes", limit: maximumBytes)
    }
  }
}
