internal import System

/// The texts of one story, folded, in UTF-8, each followed by a byte that no text holds.
///
/// PERF: one buffer for all stories of a scan; no `String` is made of any of them.
struct FoldedText: ~Copyable {
  private var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4_096)
  private(set) var count = 0
  private let table = TextFolding.table

  static let end: UInt8 = 0xff
  /// The part of a stored text that is searched: a hostile file can let a million stories share one
  /// text of a hundred megabytes.
  private static let maximumBytes = 1 << 17

  init() {}

  deinit {
    buffer.deallocate()
  }

  mutating func removeAll() {
    count = 0
  }

  var bytes: UnsafeBufferPointer<UInt8> { bytes(0..<count) }

  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: buffer[range])
  }

  mutating func append(_ text: StringBytes) {
    switch text {
    case .ascii(let all):
      let bytes = UnsafeRawBufferPointer(rebasing: all.prefix(Self.maximumBytes))
      reserve(bytes.count + 1)
      guard append(ascii: bytes) else { return append(String(decoding: bytes, as: UTF8.self)) }
    case .utf16BigEndian(let all):
      let bytes = UnsafeRawBufferPointer(rebasing: all.prefix(Self.maximumBytes))
      // A unit becomes at most three letters of one byte, or two of two.
      reserve(2 * bytes.count + 1)
      append(utf16: bytes)
    }
    put(Self.end)
  }

  mutating func append(_ text: String) {
    reserve(4 * text.utf8.count + 1)
    for scalar in text.unicodeScalars { append(folding: scalar.value) }
    put(Self.end)
  }

  private mutating func reserve(_ more: Int) {
    guard count + more > buffer.count else { return }
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * (count + more))
    _ = larger.update(fromContentsOf: buffer[..<count])
    buffer.deallocate()
    buffer = larger
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  /// Appends nothing and returns false for bytes that a foreign file calls ASCII and that are not.
  private mutating func append(ascii bytes: UnsafeRawBufferPointer) -> Bool {
    var all: UInt8 = 0
    for position in 0..<bytes.count {
      let byte = bytes[position]
      all |= byte
      buffer[count + position] = byte &- 0x41 < 26 ? byte &+ 32 : byte
    }
    guard all < 0x80 else { return false }
    count += bytes.count
    return true
  }

  private mutating func append(utf16 bytes: UnsafeRawBufferPointer) {
    var position = 0
    while position < bytes.count {
      let unit = bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self).bigEndian
      position += 2
      if Int(unit) < table.count {
        let folded = table[Int(unit)]
        if folded < 0x80 {
          put(UInt8(truncatingIfNeeded: folded))
        } else if folded < TextFolding.several {
          append(UInt32(folded))
        } else if folded == TextFolding.several {
          append(folding: UInt32(unit))
        }
      } else {
        append(folding: Self.scalar(unit, bytes, &position))
      }
    }
  }

  /// Reads one scalar; a surrogate that stands alone is U+FFFD.
  private static func scalar(
    _ unit: UInt16,
    _ bytes: UnsafeRawBufferPointer,
    _ position: inout Int,
  ) -> UInt32 {
    guard UTF16.isSurrogate(unit) else { return UInt32(unit) }
    guard UTF16.isLeadSurrogate(unit), position < bytes.count else { return 0xfffd }
    let next = bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self).bigEndian
    guard UTF16.isTrailSurrogate(next) else { return 0xfffd }
    position += 2
    return 0x1_0000 + (UInt32(unit) - 0xd800) << 10 + (UInt32(next) - 0xdc00)
  }

  private mutating func append(folding value: UInt32) {
    TextFolding.fold(value) { append($0) }
  }

  private mutating func append(_ value: UInt32) {
    guard let scalar = Unicode.Scalar(value) else { return }
    for byte in scalar.utf8 { put(byte) }
  }
}
