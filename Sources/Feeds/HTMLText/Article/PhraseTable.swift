internal import System

struct PhraseTable: Sendable {
  private let phrases: [[[UInt8]]]

  /// Takes phrases with `|` between them, as `PhraseText` writes a text: lower case, single spaces.
  init(_ all: String) {
    self.init(all.split(separator: "|").map(String.init))
  }

  init(_ all: [String]) {
    var phrases = [[[UInt8]]](repeating: [], count: 256)
    for phrase in all {
      guard let first = phrase.utf8.first else { continue }
      phrases[Int(first)].append(Array(phrase.utf8))
    }
    self.phrases = phrases
  }

  func isFound(in text: [UInt8]) -> Bool { text.indices.contains { begins(text[$0...]) } }

  func begins(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    return phrases[Int(first)].contains { text.starts(with: $0) }
  }
}

/// Folds text to lower case, single spaces and straight apostrophes.
enum PhraseText {
  /// PERF: by bytes; a string's `lowercased` took a fifth of the time of a page.
  static func folded(_ utf8: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count)
    var lead: UInt8 = 0
    for byte in utf8 {
      if byte <= 0x20 || lead == 0xC2 && byte == 0xA0 {
        if lead == 0xC2, byte == 0xA0 { result.removeLast() }
        if result.last != 0x20 { result.append(0x20) }
      } else if byte < 0x80 {
        result.append(byte.asciiLowercased)
      } else if (0xC3...0xD1).contains(lead) {
        let letter = lowercased(UInt16(lead & 0x1F) << 6 | UInt16(byte & 0x3F))
        result[result.count - 1] = UInt8(letter >> 6) | 0xC0
        result.append(UInt8(letter & 0x3F) | 0x80)
      } else {
        result.append(byte)
      }
      lead = byte >= 0xC0 && byte < 0xE0 ? byte : 0
      if byte == 0x99, result.suffix(3).elementsEqual([0xE2, 0x80, 0x99]) {
        result.removeLast(3)
        result.append(UInt8(ascii: "'"))
      }
    }
    return result
  }

  /// Knows the Latin and Cyrillic letters below U+0480.
  private static func lowercased(_ letter: UInt16) -> UInt16 {
    switch letter {
    case 0xC0...0xDE where letter != 0xD7: letter + 0x20
    case 0x100...0x137, 0x14A...0x177: letter | 1
    case 0x139...0x148, 0x179...0x17E: letter + (letter & 1)
    case 0x410...0x42F: letter + 0x20
    case 0x400...0x40F: letter + 0x50
    default: letter
    }
  }

  /// Removes signs and spaces at the ends of a text, such as a colon or an arrow.
  static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
    var text = text[...]
    while let last = text.last, signs.contains(last) { text.removeLast() }
    while let first = text.first, signs.contains(first) { text.removeFirst() }
    return text
  }

  private static let signs = Set(" :.,;!-|>*[]()".utf8)
}
