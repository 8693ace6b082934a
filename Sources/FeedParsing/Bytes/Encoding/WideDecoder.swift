/// UTF-16 and UTF-32 in either byte order to UTF-8.
///
/// A lone surrogate, a number above U+10FFFF and an odd byte at the end are one U+FFFD each.
struct WideDecoder {
  /// 2 for UTF-16, 4 for UTF-32.
  let unitSize: Int
  let order: TextEncoding.ByteOrder

  func convert(
    _ bytes: UnsafeRawBufferPointer,
    into output: inout [UInt8],
    _ maximumBytes: Int,
  ) throws(FeedParsingError) {
    var position = 0
    var highSurrogate: UInt32?
    while position + unitSize <= bytes.count {
      try output.check(maximumBytes: maximumBytes)
      let unit = unit(bytes, at: position)
      position += unitSize
      if let high = highSurrogate {
        highSurrogate = nil
        if (0xDC00...0xDFFF).contains(unit) {
          output.append(codePoint: 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00))
          continue
        }
        output.append(codePoint: 0xFFFD)
      }
      if (0xD800...0xDBFF).contains(unit) {
        highSurrogate = unit
      } else {
        output.append(codePoint: unit)
      }
    }
    if highSurrogate != nil || position < bytes.count { output.append(codePoint: 0xFFFD) }
  }

  private func unit(_ bytes: UnsafeRawBufferPointer, at position: Int) -> UInt32 {
    var unit: UInt32 = 0
    for index in 0..<unitSize {
      let offset = order == .bigEndian ? index : unitSize - 1 - index
      unit = unit << 8 | UInt32(bytes[position + offset])
    }
    return unit
  }
}
