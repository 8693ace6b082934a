import Testing

@testable import PropertyLists
@testable import System

@Suite("UTF-16 of property lists is what the standard library makes of the same text")
struct UTF16TextTests {
  private static let texts = [
    "", "a", "é", "12345678", "1234567é", "é12345678", "12345678é12345678🗞1234567",
    "\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}", "ÄÖÜ ß 漢字 🇩🇪 e\u{301}",
    "\u{0}\u{0}\u{0}",
  ]

  private func units(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
  }

  private func written(_ text: String) -> [UInt8] {
    let utf8 = Array(text.utf8)
    return utf8.withUnsafeBufferPointer { bytes in
      [UInt8](unsafeUninitializedCapacity: 2 * bytes.count + 16) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        count = UTF16Text.write(bytes, to: UnsafeMutableRawPointer(start))
      }
    }
  }

  @Test("both ways, wherever a text stops to be ASCII", arguments: texts)
  func roundTrip(text: String) {
    #expect(written(text) == units(text))
    #expect(Array(text.utf8).withUnsafeBufferPointer { UTF16Text.count($0) } == text.utf16.count)
    #expect(units(text).withUnsafeBytes { UTF16Text.string($0) } == text)
  }

  @Test("a text equals only itself", arguments: texts)
  func equality(text: String) {
    for other in Self.texts + [text + "a", text + "é", String(text.dropLast())] {
      let isEqual = units(text).withUnsafeBytes { units in
        Array(other.utf8).withUnsafeBufferPointer { StringBytes.utf16BigEndian(units).isText($0) }
      }
      #expect(isEqual == text.utf8.elementsEqual(other.utf8), "\(text) \(other)")
    }
  }

  @Test("half a pair reads as U+FFFD, wherever it is")
  func halves() {
    let high: [UInt8] = [0xd8, 0x3d]
    let low: [UInt8] = [0xdd, 0xde]
    let letter: [UInt8] = [0x00, 0x61]
    for bytes in [high, low, high + letter, low + high, high + high + low, letter + low + letter] {
      let units = stride(from: 0, to: bytes.count, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      let text = bytes.withUnsafeBytes { UTF16Text.string($0) }
      #expect(text == String(decoding: units, as: UTF16.self))
    }
  }
}
