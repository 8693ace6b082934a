internal import CommandLine

/// Splits a text into words: letters, numbers, and pairs of signs where a writing has no blanks.
struct GistReader {
  private let scalars: [UInt32]
  private var words: [GistWord] = []
  /// The end of the word before.
  private var end = 0
  private var folded: [UInt32] = []
  private let table = TextFolding.table

  private enum Sign {
    case letter, digit, ideograph, mark, other
  }

  static func words(of text: String, maximumScalars: Int) -> [GistWord] {
    var reader = GistReader(text, maximumScalars)
    reader.read()
    return reader.words
  }

  private init(_ text: String, _ maximumScalars: Int) {
    scalars = text.unicodeScalars.prefix(maximumScalars).map(\.value)
    words.reserveCapacity(scalars.count / 5)
  }

  private mutating func read() {
    var index = 0
    // The last sign but blanks and marks that open something.
    var last: UInt32 = 0
    while index < scalars.count {
      let start = index
      let kind = sign(at: index)
      index += 1
      switch kind {
      case .letter:
        while index < scalars.count, isInWord(at: index) { index += 1 }
        addLetters(start..<index, isInside: Self.keepsSentence(last))
      case .digit:
        while index < scalars.count, isInNumber(at: index) { index += 1 }
        addNumber(start..<index)
      case .ideograph:
        while index < scalars.count, sign(at: index) == .ideograph { index += 1 }
        addPairs(start..<index)
      case .mark, .other: noteSetOff(at: start)
      }
      if !Self.opens(scalars[index - 1]) { last = scalars[index - 1] }
    }
  }

  private mutating func add(_ word: GistWord, endingAt end: Int) {
    words.append(word)
    self.end = end
  }

  private mutating func addNumber(_ range: Range<Int>) {
    let id = GistWord.id(scalars[range].lazy.map(Self.plain))
    let start = scalars[range].prefix(2)
    let isYear =
      range.count == 4 && (start.elementsEqual([0x31, 0x39]) || start.elementsEqual([0x32, 0x30]))
    add(GistWord(kind: .number, id: id, isYear: isYear), endingAt: range.upperBound)
  }

  private mutating func addPairs(_ range: Range<Int>) {
    for first in range.dropLast(range.count > 1 ? 1 : 0) {
      let pair = scalars[first..<min(first + 2, range.upperBound)]
      add(GistWord(kind: .pair, id: GistWord.id(pair)), endingAt: range.upperBound)
    }
  }

  private mutating func addLetters(_ range: Range<Int>, isInside: Bool) {
    folded.removeAll(keepingCapacity: true)
    for index in range { fold(scalars[index]) }
    let whole = GistWord.id(folded)
    let kind = folded.count < 2 ? .filler : GistVocabulary.kinds[whole] ?? .telling
    var word = GistWord(kind: kind, id: whole, isInside: isInside)
    if kind == .telling || kind == .vague { word.id = GistWord.id(stem) }
    if kind == .number { word.id = GistVocabulary.numbers[whole] ?? whole }
    word.isCapitalized = Self.isCapital(scalars[range.lowerBound])
    word.isPlain = !word.isCapitalized && kind != .filler && folded.count > 3
    word.isAdjacent = range.lowerBound == end + 1 && scalars[end] == 0x20
    add(word, endingAt: range.upperBound)
  }

  /// PERF: the table has the alphabets of Europe; `TextFolding` alone takes a hundred times as long.
  private mutating func fold(_ scalar: UInt32) {
    if scalar < table.count, table[Int(scalar)] < TextFolding.several {
      folded.append(UInt32(table[Int(scalar)]))
    } else {
      TextFolding.fold(scalar) { folded.append($0) }
    }
  }

  /// The folded word without its ending: `rates` is `rate`, and `Ракеты` is `Ракета`.
  private var stem: ArraySlice<UInt32> {
    guard let first = folded.first, first < 0x400 else { return folded.prefix(5) }
    let isPlural = folded.count > 3 && folded.last == 0x73 && folded[folded.count - 2] != 0x73
    return folded.dropLast(isPlural ? 1 : 0).prefix(6)
  }

  private mutating func noteSetOff(at index: Int) {
    guard Self.setsOff(scalars[index]), !words.isEmpty,
      index == end || index == end + 1 && scalars[end] == 0x20
    else { return }
    words[words.count - 1].isSetOff = true
  }
}

// MARK: Signs

extension GistReader {
  private func sign(at index: Int) -> Sign {
    let scalar = scalars[index]
    if scalar < 0x80 {
      if scalar &- 0x30 < 10 { return .digit }
      return (scalar | 0x20) &- 0x61 < 26 ? .letter : .other
    }
    if Self.isIdeograph(scalar) { return .ideograph }
    if scalar >= 0x300, RangeTable.contains(scalar, in: TextFolding.marks) { return .mark }
    return Self.isLetter(scalar) ? .letter : .other
  }

  private static func isLetter(_ scalar: UInt32) -> Bool {
    Unicode.Scalar(scalar)?.properties.isAlphabetic == true
  }

  private static func isCapital(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 { return scalar &- 0x41 < 26 }
    return Unicode.Scalar(scalar)?.properties.isUppercase == true
  }

  /// Kana, Han, Hangul and Thai.
  private static func isIdeograph(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3040...0x30ff, 0x3400...0x9fff, 0xac00...0xd7a3, 0x0e00...0x0e7f: true
    default: false
    }
  }

  private func isInWord(at index: Int) -> Bool {
    let sign = sign(at: index)
    return sign == .letter || sign == .mark
  }

  private func isInNumber(at index: Int) -> Bool {
    if sign(at: index) == .digit { return true }
    return Self.separates(scalars[index]) && index + 1 < scalars.count
      && sign(at: index + 1) == .digit
  }

  private static func separates(_ sign: UInt32) -> Bool {
    switch Unicode.Scalar(sign) {
    case ".", ",", ":", "-", "–", "‑": true
    default: false
    }
  }

  /// Returns one sign for all that separate: `2:1` and `2–1` are `2-1`, and `7,6` is `7.6`.
  private static func plain(_ sign: UInt32) -> UInt32 {
    switch Unicode.Scalar(sign) {
    case ",": 0x2e
    case ":", "–", "‑": 0x2d
    default: sign
    }
  }

  private static func opens(_ sign: UInt32) -> Bool {
    switch Unicode.Scalar(sign) {
    case " ", "«", "“", "„", "\"", "'", "‘", "(": true
    default: false
    }
  }

  private static func setsOff(_ sign: UInt32) -> Bool {
    switch Unicode.Scalar(sign) {
    case ":", "|", "–", "—", "-": true
    default: false
    }
  }

  /// Returns true for a sign behind which no sentence begins.
  private static func keepsSentence(_ sign: UInt32) -> Bool {
    switch Unicode.Scalar(sign) {
    case ",", "-", "–", "&", "’": true
    default: sign &- 0x30 < 10 || (sign | 0x20) &- 0x61 < 26 || sign >= 0x80 && isLetter(sign)
    }
  }
}
