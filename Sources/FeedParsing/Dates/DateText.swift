internal import FeedModel

/// A date's text in pieces: folded to lower case without accents, comments taken out.
struct DateText {
  /// A piece.
  struct Token {
    enum Kind {
      /// Digits.
      case number
      /// Letters; of Chinese, Japanese and Korean one known word.
      case word
      /// Any other character.
      case symbol
    }

    let kind: Kind
    /// Where it stands in `bytes`.
    let range: Range<Int>
    /// Whether nothing, not even a space, stands before it.
    let isAdjacent: Bool
    /// The number, or the character of a symbol.
    let value: Int

    var digits: Int { range.count }

    func isSymbol(_ symbol: Character) -> Bool {
      kind == .symbol && value == Int(symbol.asciiValue ?? 0)
    }
  }

  private(set) var bytes: [UInt8]
  private(set) var tokens: [Token] = []
  /// What stood between parentheses, folded: sometimes the name of the zone.
  private(set) var comment: [UInt8] = []
  /// Whether it has Hangul in it.
  private(set) var isKorean = false

  /// nil for texts that cannot be dates, such as those with too many pieces.
  init?(_ utf8: UnsafeBufferPointer<UInt8>) {
    bytes = DateFolding.fold(SafeText.line(utf8: utf8))
    var index = 0
    var isAdjacent = false
    while index < bytes.count {
      guard tokens.count < 48 else { return nil }
      switch bytes[index] {
      case 0x20:
        (index, isAdjacent) = (index + 1, false)
        continue
      case 0x28:
        index = skipComment(at: index)
        continue
      case 0x30...0x39:
        guard let number = number(at: index, isAdjacent: isAdjacent) else { return nil }
        tokens.append(number)
      case 0x61...0x7A, 0x80...: tokens.append(word(at: index, isAdjacent: isAdjacent))
      default: tokens.append(symbol(at: index, isAdjacent: isAdjacent))
      }
      index = tokens.last?.range.upperBound ?? bytes.count
      isAdjacent = true
    }
  }

  func text(of token: Token) -> ArraySlice<UInt8> {
    bytes[token.range]
  }

  private func number(at start: Int, isAdjacent: Bool) -> Token? {
    var end = start
    var value = 0
    while end < bytes.count, bytes[end].isASCIIDigit {
      // Longer ones are no part of any date, but for fractions of seconds.
      value = end - start < 18 ? value * 10 + Int(bytes[end] & 0x0F) : value
      end += 1
    }
    return end - start > 32
      ? nil : Token(kind: .number, range: start..<end, isAdjacent: isAdjacent, value: value)
  }

  private mutating func word(at start: Int, isAdjacent: Bool) -> Token {
    if bytes[start] >= 0xE2 {
      if (0xEA...0xED).contains(bytes[start]) { isKorean = true }
      let isAfterNumber = isAdjacent && tokens.last?.kind == .number
      let length = EastAsianDateWords.length(in: bytes[start...], isAfterNumber: isAfterNumber)
      return Token(kind: .word, range: start..<(start + length), isAdjacent: isAdjacent, value: 0)
    }
    var end = start
    while end < bytes.count, isLetter(bytes[end]) { end += 1 }
    return Token(kind: .word, range: start..<end, isAdjacent: isAdjacent, value: 0)
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte == 0x5F || (0x80..<0xE2).contains(byte)
  }

  private func symbol(at index: Int, isAdjacent: Bool) -> Token {
    Token(
      kind: .symbol,
      range: index..<(index + 1),
      isAdjacent: isAdjacent,
      value: Int(bytes[index]),
    )
  }

  /// Goes on after a comment (RFC 5322 §3.2.2), nested ones included.
  private mutating func skipComment(at start: Int) -> Int {
    var depth = 0
    var index = start
    while index < bytes.count {
      if bytes[index] == 0x28 { depth += 1 }
      if bytes[index] == 0x29 { depth -= 1 }
      index += 1
      if depth == 0 { break }
    }
    if comment.isEmpty { comment = Array(bytes[(start + 1)..<max(start + 1, index - 1)]) }
    return index
  }
}
