/// Eight bytes of text, each in a lane of a word.
///
/// PERF NOTES: most text is ASCII that is clean already; this takes a tenth of the time that a byte
/// at a time takes.
struct ASCIIWord {
  private let bytes: UInt64

  @inline(__always)
  init?(_ buffer: UnsafeBufferPointer<UInt8>, at index: Int) {
    guard index + 8 <= buffer.count, let base = buffer.baseAddress else { return nil }
    let word = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    bytes = UInt64(littleEndian: word)
  }

  /// Returns true for printable ASCII without two spaces in a row.
  @inline(__always)
  func isClean(isAfterSpace: Bool) -> Bool {
    let spaces = lanes(equalTo: 0x20)
    let doubled = spaces & (spaces << 8 | (isAfterSpace ? 0x80 : 0))
    let below = (bytes &- Self.each(0x20)) & ~bytes
    return (bytes | below) & Self.high == 0 && doubled == 0 && lanes(equalTo: 0x7F) == 0
  }

  @inline(__always)
  var endsWithSpace: Bool { bytes >> 56 == 0x20 }

  @inline(__always)
  func store(to buffer: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
    UnsafeMutableRawBufferPointer(buffer).storeBytes(
      of: bytes.littleEndian,
      toByteOffset: index,
      as: UInt64.self,
    )
  }

  @inline(__always)
  private func lanes(equalTo value: UInt64) -> UInt64 {
    let difference = bytes ^ Self.each(value)
    let low = ~Self.high
    return ~(((difference & low) &+ low) | difference) & Self.high
  }

  private static let high: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  private static func each(_ value: UInt64) -> UInt64 {
    value &* 0x0101_0101_0101_0101
  }
}
