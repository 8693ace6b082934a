/// The characters of a one-byte encoding that is ASCII below 0x80.
struct SingleByteTable: Hashable, Sendable {
  /// Of the bytes from 0x80, U+FFFD for none.
  private let upper: [UInt32]

  private init(upper: [UInt32]) {
    self.upper = upper
  }

  static let windows1252 = SingleByteTable(
    upper: (0x80...0xFF).map { Windows1252.codePoint($0) ?? 0xFFFD }
  )

  /// Asks iconv for every byte's character; nil when it does not know the encoding.
  init?(_ encoding: TextEncoding) {
    guard let converter = IconvConverter(encoding) else { return nil }
    upper = (UInt8(0x80)...0xFF).map { converter.codePoint(ofByte: $0) ?? 0xFFFD }
  }

  func codePoint(_ byte: UInt8) -> UInt32 {
    byte < 0x80 ? UInt32(byte) : upper[Int(byte) - 0x80]
  }

  /// Adds the text of some bytes in UTF-8.
  func convert(
    _ bytes: UnsafeRawBufferPointer,
    into output: inout [UInt8],
    _ maximumBytes: Int,
  ) throws(FeedParsingError) {
    for byte in bytes { output.append(codePoint: codePoint(byte)) }
    // Three bytes a byte at the most.
    try output.check(maximumBytes: maximumBytes)
  }
}
