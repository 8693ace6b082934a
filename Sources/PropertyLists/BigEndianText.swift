/// Text in UTF-16, most significant byte first, as property lists hold what is not ASCII.
///
/// PERF: the standard library decodes such units through its generic parser. That took two thirds of
/// the instructions of reading stories back, and half of those of a merge.
struct BigEndianText {
  private let bytes: UnsafeRawBufferPointer
  private let count: Int

  /// - Parameter bytes: an even number of them.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    count = bytes.count / 2
  }

  /// The text; half a surrogate pair is a replacement character.
  var string: String {
    let length = utf8Count
    return String(unsafeUninitializedCapacity: length) { buffer in
      var end = 0
      forEachScalar { end = Self.encode($0, to: buffer, at: end) }
      return end
    }
  }

  private var utf8Count: Int {
    var length = 0
    forEachScalar { length += $0 < 0x80 ? 1 : $0 < 0x800 ? 2 : $0 < 0x1_0000 ? 3 : 4 }
    return length
  }

  private func unit(_ position: Int) -> UInt32 {
    UInt32(
      bytes.loadUnaligned(fromByteOffset: 2 * position, as: UInt16.self).bigEndian
    )
  }

  @inline(__always)
  private func forEachScalar(_ body: (UInt32) -> Void) {
    var position = 0
    while position < count {
      let unit = unit(position)
      position += 1
      guard 0xD800..<0xE000 ~= unit else {
        body(unit)
        continue
      }
      guard unit < 0xDC00, position < count, 0xDC00..<0xE000 ~= self.unit(position) else {
        body(0xFFFD)
        continue
      }
      body(0x1_0000 + (unit - 0xD800) << 10 + (self.unit(position) - 0xDC00))
      position += 1
    }
  }

  /// Writes a scalar.
  ///
  /// - Returns: where the next one goes.
  @inline(__always)
  private static func encode(
    _ scalar: UInt32,
    to buffer: UnsafeMutableBufferPointer<UInt8>,
    at start: Int,
  ) -> Int {
    guard scalar >= 0x80 else {
      buffer[start] = UInt8(scalar)
      return start + 1
    }
    let width = scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
    let mark: UInt32 = width == 2 ? 0xC0 : width == 3 ? 0xE0 : 0xF0
    for place in (0..<width).reversed() {
      let bits = scalar >> UInt32(6 * (width - 1 - place))
      buffer[start + place] = UInt8(
        truncatingIfNeeded: place == 0 ? mark | bits : 0x80 | bits & 0x3F
      )
    }
    return start + width
  }
}
