/// Unicode encodings that the first bytes themselves show.
enum ByteOrderMark {
  /// The encoding that a byte order mark stands for, and the mark's length.
  static func read(_ bytes: UnsafeRawBufferPointer) -> (TextEncoding, length: Int)? {
    let first = Array(bytes.prefix(4))
    // UTF-32 first: its little-endian mark begins like that of UTF-16.
    if first == [0xFF, 0xFE, 0x00, 0x00] { return (.utf32LE, 4) }
    if first == [0x00, 0x00, 0xFE, 0xFF] { return (.utf32BE, 4) }
    if first.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if first.starts(with: [0xFF, 0xFE]) { return (.utf16LE, 2) }
    if first.starts(with: [0xFE, 0xFF]) { return (.utf16BE, 2) }
    return nil
  }

  /// The encoding that the pattern of NUL bytes shows, of a document that begins with two ASCII
  /// characters (any XML and JSON does).
  static func guess(_ bytes: UnsafeRawBufferPointer) -> TextEncoding? {
    let candidates: [(TextEncoding, [Bool])] = [
      (.utf32LE, [true, false, false, false, true, false, false, false]),
      (.utf32BE, [false, false, false, true, false, false, false, true]),
      (.utf16LE, [true, false, true, false]),
      (.utf16BE, [false, true, false, true]),
    ]
    return candidates.first { matches(bytes, pattern: $0.1) }?.0
  }

  private static func matches(_ bytes: UnsafeRawBufferPointer, pattern: [Bool]) -> Bool {
    guard bytes.count >= pattern.count else { return false }
    return zip(bytes, pattern).allSatisfy { byte, isCharacter in
      isCharacter ? (0x09...0x7E).contains(byte) : byte == 0
    }
  }
}
