/// UTF-16 and UTF-32 in either byte order to UTF-8.
///
/// A lone surrogate, a number above U+10FFFF and an odd byte at the end are one U+FFFD each.
struct WideDecoder {
  private let unitSize: Int
  private let order: TextEncoding.ByteOrder
  private var carry: [UInt8] = []
  private var highSurrogate: UInt32?

  /// - Parameters:
  ///   - unitSize: 2 for UTF-16, 4 for UTF-32.
  ///   - order: Of the bytes of a unit.
  init(unitSize: Int, order: TextEncoding.ByteOrder) {
    self.unitSize = unitSize
    self.order = order
  }

  mutating func convert(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    var position = 0
    while !carry.isEmpty, position < chunk.count {
      carry.append(chunk[position])
      position += 1
      if carry.count == unitSize { completeCarry(into: &output) }
    }
    while position + unitSize <= chunk.count {
      let unit = Self.unit(chunk, at: position, size: unitSize, order: order)
      append(unit, into: &output)
      position += unitSize
    }
    if position < chunk.count { carry.append(contentsOf: chunk[position...]) }
  }

  mutating func finish(into output: inout [UInt8]) {
    if highSurrogate != nil || !carry.isEmpty { output.append(codePoint: 0xFFFD) }
    highSurrogate = nil
    carry = []
  }

  private mutating func completeCarry(into output: inout [UInt8]) {
    let unit = carry.withUnsafeBytes { Self.unit($0, at: 0, size: unitSize, order: order) }
    append(unit, into: &output)
    carry.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ unit: UInt32, into output: inout [UInt8]) {
    if let high = highSurrogate {
      highSurrogate = nil
      if (0xDC00...0xDFFF).contains(unit) {
        output.append(codePoint: 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00))
        return
      }
      output.append(codePoint: 0xFFFD)
    }
    if (0xD800...0xDBFF).contains(unit) {
      highSurrogate = unit
    } else {
      output.append(codePoint: unit)
    }
  }

  private static func unit(
    _ bytes: UnsafeRawBufferPointer,
    at position: Int,
    size: Int,
    order: TextEncoding.ByteOrder,
  ) -> UInt32 {
    var unit: UInt32 = 0
    for index in 0..<size {
      let offset = order == .bigEndian ? index : size - 1 - index
      unit = unit << 8 | UInt32(bytes[position + offset])
    }
    return unit
  }
}
