/// The words of a text, as many as its reader has to read.
package enum WordCount {
  package static let wordsOfMinute = 220

  package static func minutes(words: Int) -> Int { (words + wordsOfMinute - 1) / wordsOfMinute }

  /// Returns the number of words: of what stands between blanks, that with a letter or a digit.
  ///
  /// Chinese, Japanese, Thai and their neighbours put no blanks between words. By what their words
  /// have on average, two signs of Han and kana count as one, and four of Thai, Lao, Burmese and
  /// Khmer.
  package static func words(_ text: String) -> Int {
    var counter = Counter()
    for scalar in text.unicodeScalars { counter.add(scalar) }
    return counter.words + (counter.signs + 3) / 4
  }

  private struct Counter {
    private(set) var words = 0
    /// The signs of scripts without blanks; those of Han and kana count twice.
    private(set) var signs = 0
    private var isInWord = false

    mutating func add(_ scalar: Unicode.Scalar) {
      if let weight = WordCount.weight(scalar) {
        signs += weight
        isInWord = false
      } else if WordCount.isBlank(scalar) {
        isInWord = false
      } else if !isInWord, WordCount.isOfWord(scalar) {
        words += 1
        isInWord = true
      }
    }
  }

  // PERF: the properties of a scalar are looked up in tables; in ASCII there is no need.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar.value == 0x20 || 0x09...0x0D ~= scalar.value : scalar.properties.isWhitespace
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? UInt8(scalar.value).isASCIILetterOrDigit
      : scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Returns 2 for Han and kana, 1 for a letter of another script without blanks and 0 for its
  /// marks; nil for scripts with blanks.
  private static func weight(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar.value {
    // PERF: nearly all texts.
    case ..<0x0E00: nil
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF:
      scalar.properties.generalCategory == .otherLetter ? 1 : 0
    case 0x3005...0x3007, 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC, 0x31F0...0x31FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFF:
      2
    default: nil
    }
  }
}
