import System
import Testing

@Suite("ByteScan")
struct ByteScanTests {
  @Test("the fast scans agree with the plain ones")
  func scans() {
    for byte in UInt8.min...UInt8.max {
      for position in 0..<40 {
        var bytes = [UInt8](repeating: 0x61, count: 40)
        bytes[position] = byte
        let isMarkup = "<&]".utf8.contains(byte)
        let isUnusual = byte >= 0x80 || byte < 0x20 && !"\t\n\r".utf8.contains(byte)
        let isInValue = "<&'".utf8.contains(byte)
        bytes.withUnsafeBytes { bytes in
          let unusual = ByteScan.firstUnusual(bytes, from: 0)
          let markup = ByteScan.first(of: (0x3C, 0x26, 0x5D), in: bytes, from: 0)
          #expect(markup == (isMarkup ? position : 40))
          #expect(unusual == (isUnusual ? position : 40))
          let value = ByteScan.first(of: (0x27, 0x3C, 0x26), in: bytes, from: 0)
          #expect(value == (isInValue ? position : 40))
          let first = ByteScan.first(byte, in: bytes, from: 0)
          #expect(first == (byte == 0x61 ? 0 : position))
        }
      }
    }
  }
}
