import TestSupport
import Testing

@testable import System

@Suite("What may reach a store or a terminal")
struct SafeTextTests {
  @Test("what is hidden is what a line drops without a trace, and the separators")
  func hidden() {
    for value in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isSeparator = value == 0x2028 || value == 0x2029
      let isDropped = value > 0xA0 && ScalarRole(scalar) == .unwanted
      guard SafeText.isHidden(scalar) != (isDropped || isSeparator) else { continue }
      Issue.record("U+\(String(value, radix: 16))")
    }
  }

  @Test("no sign without width is left but what words and emoji need")
  func withoutWidth() {
    let needed: Set<UInt32> = [0x200C, 0x200D, 0xFE0E, 0xFE0F]
    // The signs before Arabic numbers and verses, Syriac's mark of abbreviation, numbers in Kaithi.
    let seen: Set<UInt32> = Set(0x600...0x605).union([0x6DD, 0x70F, 0x890, 0x891, 0x8E2])
      .union([0x110BD, 0x110CD])
    for value in UInt32(0xA0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      let hasNoWidth =
        properties.isDefaultIgnorableCodePoint
        || properties.generalCategory == .format && !seen.contains(value)
      guard hasNoWidth, !needed.contains(value) else { continue }
      #expect(SafeText.line("a\(scalar)b") == "ab", "U+\(String(value, radix: 16))")
    }
    for value in needed.union(seen) {
      let text = "a" + (Unicode.Scalar(value).map { String($0) } ?? "") + "b"
      #expect(SafeText.line(text) == text, "U+\(String(value, radix: 16))")
    }
  }

  @Test(
    "a line is one line of visible text",
    arguments: [
      ("plain", "plain"),
      ("  two  words \n and\ttabs ", "two words and tabs"),
      ("a\u{A0}b\u{3000}c\u{2028}d", "a b c d"),
      ("bell\u{7} escape\u{1B}[31m c1\u{9B}31m del\u{7F}", "bell escape [31m c1 31m del"),
      ("\u{202E}desrever\u{202C}\u{200F}", "desrever"),
      ("zero\u{200B}width\u{FEFF} tag\u{E0041}", "zerowidth tag"),
      ("soft \u{200B} space", "soft space"),
      ("👩\u{200D}👩\u{200D}👧 می\u{200C}خواهم", "👩\u{200D}👩\u{200D}👧 می\u{200C}خواهم"),
      ("Donau\u{AD}dampf\u{180E}schiff \u{3164}\u{115F}\u{FFA0} x\u{34F}y", "Donaudampfschiff xy"),
      ("❤\u{FE0F} ᠠ\u{180B}ᠨ 葛\u{E0100}", "❤\u{FE0F} ᠠᠨ 葛"),
      ("", ""), (" \n ", ""), ("\u{200B}", ""),
    ],
  )
  func line(text: String, expected: String) {
    #expect(SafeText.line(text) == expected)
  }

  @Test("what is unwanted is found at each place of a text of any length", arguments: 1...50)
  func unwantedAnywhere(length: Int) {
    let text = Array(String(repeating: "x&<", count: 20).utf8.prefix(length))
    for place in 0...length {
      for unwanted in ["", " ", "  ", "\t", "\u{07}", "\u{7F}", "\u{AD}", "é", "é "] {
        let bytes = text[..<place] + unwanted.utf8 + text[place...]
        bytes.withUnsafeBufferPointer {
          #expect(SafeText.line(utf8: $0) == SafeText.rewrite($0), "\(length), \(place)")
        }
      }
    }
  }

  @Test(
    "a beginning ends at a word, or between two characters where none ends near",
    arguments: [
      ("one two three", nil), ("one two three four", "one two..."),
      ("one two th ree four", "one two th..."), ("a pneumonoultramicroscopic", "a pneumono..."),
      ("één twee drie vier", "één twee…"),
      ("漢字漢字漢字漢字漢字漢字漢字漢字", "漢字漢字漢字漢字漢字漢字…"),
      ("👩\u{200D}👩\u{200D}👧 a b c d e f g h", "👩\u{200D}👩\u{200D}👧 a b c d e…"),
    ],
  )
  func beginning(text: String, expected: String?) throws {
    var text = text
    let beginning = text.withUTF8 { SafeText.beginning(ofUTF8: $0, maximumCharacters: 13) }
    #expect(beginning == expected)
    guard var beginning else { return }
    #expect(beginning.withUTF8 { SafeText.beginning(ofUTF8: $0, maximumCharacters: 13) } == nil)
  }

  @Test("a base keeps eight combining marks")
  func marks() {
    let zalgo = "a" + String(repeating: "\u{301}", count: 20) + "b\u{301}"
    #expect(SafeText.line(zalgo).unicodeScalars.count == 1 + 8 + 2)
  }

  @Test(
    "bytes that are not UTF-8 become replacement characters",
    arguments: [
      ([0x61, 0xFF, 0x62], "a\u{FFFD}b"),
      ([0xE2, 0x82], "\u{FFFD}"),
      ([0xEF, 0xB7, 0x90, 0x61, 0xEF, 0xBF, 0xBE, 0xF0, 0x9F, 0xBF, 0xBF], "a"),
      ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"),
      ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF0, 0x9F, 0x98, 0x80], "😀"),
    ] as [([UInt8], String)],
  )
  func repair(bytes: [UInt8], expected: String) {
    #expect(bytes.withUnsafeBufferPointer { SafeText.line(utf8: $0) } == expected)
  }

  @Test(
    "whatever comes in, what comes out is safe, stays the same, and is what the slow way builds"
  )
  func properties() {
    var generator = Chance(state: 1)
    let pieces: [[UInt8]] =
      [
        "word", " ", "  ", "\n", "é", "\u{301}", "\u{200D}", "\u{202E}", "漢字", "😀", "\u{9B}",
        "longer run of text", "\u{FEFF}", "\u{E0020}", "\u{AD}", "\u{180E}", "\u{3164}",
      ].map { Array($0.utf8) } + [[0xFF], [0xE2, 0x80], [0x80], [0xEF, 0xBF, 0xBF]]
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...9, using: &generator)).flatMap { _ in
        pieces.randomElement(using: &generator) ?? []
      }
      let line = bytes.withUnsafeBufferPointer { SafeText.line(utf8: $0) }
      #expect(line == bytes.withUnsafeBufferPointer { SafeText.rewrite($0) })
      #expect(SafeText.line(line) == line)
      #expect(!line.unicodeScalars.contains(where: isForbidden))
      #expect(!line.utf8.starts(with: [0x20]) && line.utf8.last != 0x20)
    }
  }

  private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x3164, 0x200B, 0x200E, 0x200F,
      0x2028...0x202E, 0x2060...0x2064,
      0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF, 0xE0000...0xE007F:
      true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  @Test(
    "a text that is too long is cut between characters",
    arguments: [
      ("short", 5, "short"),
      ("a bit longer", 6, "a bit…"),
      ("a bit longer", 7, "a bit…"),
      ("👩\u{200D}👩\u{200D}👧👩\u{200D}👩\u{200D}👧👩\u{200D}👩\u{200D}👧", 2, "👩\u{200D}👩\u{200D}👧…"),
      ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
      ("e\u{301}e\u{301}e\u{301}x", 3, "e\u{301}e\u{301}…"),
      ("Ωμέγα", 5, "Ωμέγα"), ("Ωμέγα", 4, "Ωμέ…"), ("xyz", 1, "…"),
    ],
  )
  func prefix(text: String, maximum: Int, expected: String) {
    #expect(SafeText.prefix(text, maximumCharacters: maximum) == expected)
  }

  @Test("a text is cut where Swift's own characters end, whatever is joined to whatever")
  func prefixOfAnything() {
    let scalars: [Unicode.Scalar] = [
      "a", "é", "Ω", "你", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{1F3FD}", "👩", "❤", "🚀", "©", "नि",
      "🇩", "각",
    ].flatMap(\.unicodeScalars)
    var generator = Chance(state: 11)
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        text.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
      }
      let maximum = Int.random(in: 1...6, using: &generator)
      let expected = text.count <= maximum ? text : text.prefix(maximum - 1) + "…"
      let cut = SafeText.prefix(text, maximumCharacters: maximum)
      #expect(
        Array(cut.unicodeScalars) == Array(expected.unicodeScalars),
        "\(Array(text.unicodeScalars))",
      )
    }
  }
}
