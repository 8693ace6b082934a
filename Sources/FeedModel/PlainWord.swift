/// Eight bytes of text that are a safe line as they are: visible ASCII and single spaces.
///
/// PERF: nearly all text is such words; a look at each byte costs five times as much.
struct PlainWord {
  static let length = 8

  /// As in memory.
  let bytes: UInt64
  let endsWithSpace: Bool

  /// - Returns: nil when the eight bytes are something else, or not there.
  @inline(__always)
  init?(_ text: UnsafeBufferPointer<UInt8>, at index: Int, isAfterSpace: Bool) {
    guard index &+ Self.length <= text.count else { return nil }
    bytes = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let word = bytes.littleEndian
    let high = Self.ones << 7
    guard word & high == 0 else { return nil }
    // With no high bit set, adding 0x7F to a byte sets it unless the byte is zero.
    let control = ~((word & (Self.ones &* 0x60)) &+ Self.ones &* 0x7F)
    let delete = ~((word ^ (Self.ones &* 0x7F)) &+ Self.ones &* 0x7F)
    let space = ~((word ^ (Self.ones &* 0x20)) &+ Self.ones &* 0x7F) & high
    guard (control | delete) & high == 0, space & (space << 8) == 0,
      !isAfterSpace || space & 0x80 == 0
    else { return nil }
    endsWithSpace = space >> 63 == 1
  }

  /// How many bytes are no ASCII.
  static func countOfNonASCII(in text: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    var count = 0
    var index = 0
    while index &+ length <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      count &+= (word & (ones << 7)).nonzeroBitCount
      index &+= length
    }
    while index < raw.count {
      count &+= raw[index] >= 0x80 ? 1 : 0
      index &+= 1
    }
    return count
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
}
