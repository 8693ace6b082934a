/// A canonical prefix code of DEFLATE (RFC 1951 §3.2.2).
///
/// Codes of up to `fastBits` bits are looked up in one step, longer ones bit by bit.
struct HuffmanCode {
  static let maximumLength = 15
  private static let fastBits = 10

  /// Symbol × 16 + length, by the next bits; 0 for longer codes and for none.
  private var fast: [UInt16]
  /// How many codes there are of each length.
  private var counts = [Int](repeating: 0, count: maximumLength + 1)
  /// The symbols in the order of their codes.
  private var symbols: [UInt16]

  /// Nil when the lengths make no prefix code.
  ///
  /// An incomplete code is allowed only with one symbol or none, as zlib has it.
  init?(lengths: some Collection<UInt8>) {
    for length in lengths { counts[Int(length)] += 1 }
    let used = lengths.count - counts[0]
    counts[0] = 0
    var free = 1
    for length in 1...Self.maximumLength {
      free = free * 2 - counts[length]
      guard free >= 0 else { return nil }
    }
    guard free == 0 || used <= 1 else { return nil }
    symbols = [UInt16](repeating: 0, count: used)
    fast = [UInt16](repeating: 0, count: 1 << Self.fastBits)
    assign(lengths)
  }

  /// The next symbol and the length of its code, or nil when there are too few bits.
  ///
  /// - Parameters:
  ///   - bits: The next bits, the first lowest.
  ///   - available: How many of them are real.
  /// - Returns: The symbol, or that there is none.
  @inline(__always)
  func decode(_ bits: UInt64, available: Int) -> Match {
    let entry = fast[Int(truncatingIfNeeded: bits) & (1 << Self.fastBits - 1)]
    guard entry == 0 else {
      let length = Int(entry & 15)
      return length <= available ? .symbol(Int(entry >> 4), length: length) : .needsMore
    }
    return decodeSlowly(bits, available: available)
  }

  enum Match {
    case symbol(Int, length: Int)
    case needsMore
    case invalid
  }

  private func decodeSlowly(_ bits: UInt64, available: Int) -> Match {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...Self.maximumLength {
      guard length <= available else { return .needsMore }
      code |= Int(truncatingIfNeeded: bits >> UInt64(length - 1)) & 1
      let count = counts[length]
      if code - count < first {
        return .symbol(Int(symbols[index + code - first]), length: length)
      }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return .invalid
  }

  private mutating func assign(_ lengths: some Collection<UInt8>) {
    var offsets = [Int](repeating: 0, count: Self.maximumLength + 1)
    var codes = offsets
    for length in 1..<Self.maximumLength {
      offsets[length + 1] = offsets[length] + counts[length]
      codes[length + 1] = (codes[length] + counts[length]) << 1
    }
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      symbols[offsets[length]] = UInt16(symbol)
      offsets[length] += 1
      fill(code: codes[length], length: length, symbol: symbol)
      codes[length] += 1
    }
  }

  private mutating func fill(code: Int, length: Int, symbol: Int) {
    guard length <= Self.fastBits else { return }
    var reversed = 0
    for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
    for index in stride(from: reversed, to: 1 << Self.fastBits, by: 1 << length) {
      fast[index] = UInt16(symbol << 4 | length)
    }
  }
}
