/// An element's name, of which the first 24 bytes are in a form that compares in a few instructions.
///
/// PERF: keeping and comparing names byte by byte took a third of the whole pass.
struct ElementName: Hashable {
  private static let inlineLength = 24

  private let words: SIMD4<UInt64>
  let count: Int

  /// The name that begins at an offset.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, from start: Int, count: Int) {
    self.count = count
    words = Self.load(bytes, from: start, count: count)
  }

  /// Whether it fits into the inline bytes.
  @inline(__always)
  var isShort: Bool { count <= Self.inlineLength }

  /// The bytes of a short name, the beginning of another.
  var bytes: [UInt8] {
    (0..<min(count, Self.inlineLength)).map {
      UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64($0 % 8 * 8))
    }
  }

  /// Whether the inline bytes of the name stand at an offset.
  @inline(__always)
  func isHead(of bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    let other = Self.load(bytes, from: start, count: count)
    return words[0] == other[0] && words[1] == other[1] && words[2] == other[2]
  }

  @inline(__always)
  private static func load(
    _ bytes: UnsafeRawBufferPointer,
    from start: Int,
    count: Int,
  ) -> SIMD4<UInt64> {
    guard start &+ inlineLength <= bytes.count else {
      return loadSlowly(bytes, from: start, count: count)
    }
    var words = SIMD4<UInt64>()
    words[0] = word(bytes, at: start, count: count)
    if count > 8 {
      words[1] = word(bytes, at: start &+ 8, count: count &- 8)
      if count > 16 { words[2] = word(bytes, at: start &+ 16, count: count &- 16) }
    }
    return words
  }

  /// Eight bytes, the first lowest, those behind the name zero.
  @inline(__always)
  private static func word(
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    count: Int,
  ) -> UInt64 {
    let word = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    )
    return count >= 8 ? word : word & (1 &<< UInt64(truncatingIfNeeded: count &* 8) &- 1)
  }

  private static func loadSlowly(
    _ bytes: UnsafeRawBufferPointer,
    from start: Int,
    count: Int,
  ) -> SIMD4<UInt64> {
    var words = SIMD4<UInt64>()
    for index in 0..<min(count, inlineLength, bytes.count - start) {
      words[index / 8] |= UInt64(bytes[start + index]) << UInt64(index % 8 * 8)
    }
    return words
  }
}
