/// Reads bits, the lowest of a byte first (RFC 1951 §3.1.1); a value, so that a copy is a way back.
struct BitReader {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  private(set) var bits: UInt64
  private(set) var count: Int

  init(_ bytes: UnsafeRawBufferPointer, bits: UInt64, count: Int) {
    self.bytes = bytes
    self.bits = bits
    self.count = count
    position = 0
  }

  /// How many bytes have been taken.
  var consumed: Int { position }

  /// Makes at least 57 bits available, or all that there are.
  @inline(__always)
  mutating func refill() {
    while count <= 56, position < bytes.count {
      bits |= UInt64(bytes[position]) << UInt64(count)
      position &+= 1
      count &+= 8
    }
  }

  @inline(__always)
  mutating func drop(_ length: Int) {
    bits >>= UInt64(length)
    count &-= length
  }

  /// The next bits, at most 32, as a number; nil when there are too few.
  @inline(__always)
  mutating func take(_ length: Int) -> Int? {
    refill()
    guard count >= length else { return nil }
    let value = Int(truncatingIfNeeded: bits & (1 << UInt64(length) - 1))
    drop(length)
    return value
  }

  /// Goes on at the next whole byte.
  mutating func alignToByte() {
    drop(count & 7)
  }
}
