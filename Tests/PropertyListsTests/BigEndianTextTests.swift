import Testing

@testable import PropertyLists

@Suite("Text in UTF-16 is read as the standard library reads it")
struct BigEndianTextTests {
  @Test(
    "Text of every length of a scalar is the same",
    arguments: [
      "", "a", "é", "–", "日本", "🗞️ news", "a\u{0}b", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}",
    ],
  )
  func texts(text: String) {
    #expect(read(Array(text.utf16)) == text)
  }

  @Test(
    "Half a surrogate pair is a replacement character, and takes nothing with it",
    arguments: [
      [0xD800], [0xDC00], [0xD800, 0x61], [0xDC00, 0xD800], [0xD800, 0xD800, 0xDC00],
      [0x61, 0xDBFF], [0xD83D, 0xDE00, 0xDE00], [0xD800, 0xE000], [0xD800, 0xDBFF],
      [0xD7FF, 0xDC00], [0xDBFF, 0xDFFF], [0xE000, 0xDFFF],
    ] as [[UInt16]],
  )
  func halves(units: [UInt16]) {
    #expect(read(units) == String(decoding: units, as: UTF16.self))
  }

  @Test("Units by chance, with many surrogates among them, are read the same")
  func chance() {
    var generator = Units(state: 1)
    for length in 0..<400 {
      let units = (0..<length).map { _ in generator.next() }
      #expect(read(units) == String(decoding: units, as: UTF16.self))
    }
  }

  private func read(_ units: [UInt16]) -> String {
    units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }.withUnsafeBytes {
      BigEndianText($0).string
    }
  }

  private struct Units {
    var state: UInt64

    mutating func next() -> UInt16 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let unit = UInt16(truncatingIfNeeded: state >> 40)
      switch state >> 62 {
      case 0: return unit & 0x7F
      case 1: return 0xD800 | unit & 0x7FF
      default: return unit
      }
    }
  }
}
