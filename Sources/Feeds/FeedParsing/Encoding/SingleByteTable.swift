import HTMLParsing
import System

package struct SingleByteTable: Hashable, Sendable {
  let name: String
  private let upper: [UInt32]

  private init(_ name: String, upper: [UInt32]) {
    (self.name, self.upper) = (name, upper)
  }

  static let windows1252 = SingleByteTable(
    TextEncoding.windows1252.name,
    upper: (0x80...0xFF).map { Windows1252.codePoint($0) ?? 0xFFFD },
  )

  init?(_ encoding: TextEncoding) {
    guard let converter = IconvConverter(encoding) else { return nil }
    name = encoding.name
    upper = (UInt8(0x80)...0xFF).map { converter.codePoint(ofByte: $0) ?? 0xFFFD }
  }

  func codePoint(_ byte: UInt8) -> UInt32 {
    byte < 0x80 ? UInt32(byte) : upper[Int(byte) - 0x80]
  }

  func convert(
    _ bytes: UnsafeRawBufferPointer,
    into output: inout [UInt8],
    _ maximumBytes: Int,
  ) throws(FeedParsingError) {
    for byte in bytes { output.append(codePoint: codePoint(byte)) }
    // No byte becomes more than three, so one check at the end is enough.
    try output.check(maximumBytes: maximumBytes)
  }
}
