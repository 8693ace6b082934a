/// A word of a title or a summary, as the rule of similar stories sees it.
struct GistWord: Hashable, Sendable {
  enum Kind: Sendable {
    /// Stands in any story, such as an article or a preposition.
    case filler
    /// A month or a day of the week.
    case date
    /// Says little, such as `update` or `people`.
    case vague
    /// Digits with the signs between them, or a word for a number.
    case number
    /// Tells stories apart.
    case telling
    /// Two signs that follow each other, of a writing without blanks.
    case pair
  }

  let kind: Kind
  /// A hash of the folded beginning of the word, so that inflected forms are one.
  var id: UInt64
  var isYear = false
  var isCapitalized = false
  /// True where no sentence begins, so that a capital is the word's own.
  var isInside = false
  /// True for a small word of more than three letters that is no filler.
  var isPlain = false
  /// True where one blank alone stands between the word before and this one.
  var isAdjacent = false
  /// True where a sign such as a colon or a dash follows.
  var isSetOff = false

  var weight: Double {
    switch kind {
    case .filler, .date: 0
    case .vague: 0.25
    case .pair: 0.5
    case .number, .telling: 1
    }
  }

  var isWeighty: Bool { kind != .filler && kind != .date }

  /// Returns the FNV-1a hash of a text that is folded first.
  static func id(_ text: String) -> UInt64 { id(TextFolding.fold(text)) }

  static func id(_ scalars: some Sequence<UInt32>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for scalar in scalars { hash = (hash ^ UInt64(scalar)) &* 0x100_0000_01b3 }
    return hash
  }
}
