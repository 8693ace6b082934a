import FeedModel

/// A 128-bit digest of a body, taken while its bytes arrive in pieces of any size.
///
/// MurmurHash3_x64_128 with seed 0 (Austin Appleby, public domain): several bytes a nanosecond. It
/// tells a body from its last version, no more: who makes two bodies collide hides their own news.
struct BodyDigest {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  /// The last bytes that do not fill a block, little-endian, and how many they are.
  private var pendingLow: UInt64 = 0
  private var pendingHigh: UInt64 = 0
  private var pendingCount = 0
  private(set) var byteCount = 0

  /// Takes the next bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount &+= bytes.count
    var position = 0
    while pendingCount != 0, position < bytes.count {
      append(bytes[position])
      position += 1
    }
    while bytes.count - position >= 16 {
      mix(
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)),
      )
      position += 16
    }
    while position < bytes.count {
      append(bytes[position])
      position += 1
    }
  }

  /// The digest of all bytes so far: 32 lower-case hexadecimal digits.
  func hexadecimal() -> String {
    var low = first ^ Self.scrambledLow(pendingLow)
    var high = second ^ Self.scrambledHigh(pendingHigh)
    low ^= UInt64(truncatingIfNeeded: byteCount)
    high ^= UInt64(truncatingIfNeeded: byteCount)
    low &+= high
    high &+= low
    low = Self.finished(low)
    high = Self.finished(high)
    low &+= high
    high &+= low
    return low.hexadecimal + high.hexadecimal
  }

  private mutating func append(_ byte: UInt8) {
    if pendingCount < 8 {
      pendingLow |= UInt64(byte) << UInt64(pendingCount * 8)
    } else {
      pendingHigh |= UInt64(byte) << UInt64((pendingCount - 8) * 8)
    }
    pendingCount += 1
    guard pendingCount == 16 else { return }
    mix(pendingLow, pendingHigh)
    (pendingLow, pendingHigh, pendingCount) = (0, 0, 0)
  }

  private mutating func mix(_ low: UInt64, _ high: UInt64) {
    first ^= Self.scrambledLow(low)
    first = (first << 27 | first >> 37) &+ second
    first = first &* 5 &+ 0x52dc_e729
    second ^= Self.scrambledHigh(high)
    second = (second << 31 | second >> 33) &+ first
    second = second &* 5 &+ 0x3849_5ab5
  }

  private static let lowFactor: UInt64 = 0x87c3_7b91_1142_53d5
  private static let highFactor: UInt64 = 0x4cf5_ad43_2745_937f

  private static func scrambledLow(_ word: UInt64) -> UInt64 {
    let product = word &* lowFactor
    return (product << 31 | product >> 33) &* highFactor
  }

  private static func scrambledHigh(_ word: UInt64) -> UInt64 {
    let product = word &* highFactor
    return (product << 33 | product >> 31) &* lowFactor
  }

  private static func finished(_ word: UInt64) -> UInt64 {
    var word = word
    word ^= word >> 33
    word = word &* 0xff51_afd7_ed55_8ccd
    word ^= word >> 33
    word = word &* 0xc4ce_b9fe_1a85_ec53
    return word ^ word >> 33
  }
}
