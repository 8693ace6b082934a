internal import FeedModel
import System

struct DateToken {
  enum Kind {
    case number
    /// Letters; of Chinese, Japanese and Korean one known word, or a single character.
    case word
    case symbol
    case end
  }

  private(set) var kind = Kind.end
  private(set) var text = ""
  private(set) var value = 0
  private(set) var digits = 0
  /// True where nothing, not even a space, stands before it.
  private(set) var isAdjacent = false

  static let end = Self()

  func `is`(_ text: String) -> Bool {
    self.text == text
  }

  var isSign: Bool { text == "+" || text == "-" }

  /// True of the digits of a day or a month; some write a zero too many.
  var mayBeDayOrMonth: Bool { (1...2).contains(digits) || (digits == 3 && value < 100) }
}

extension DateToken {
  init(_ kind: Kind, _ scalars: ArraySlice<Unicode.Scalar>, isAdjacent: Bool) {
    (self.kind, self.isAdjacent) = (kind, isAdjacent)
    if kind == .number {
      digits = scalars.count
      // Longer ones are no part of any date, but for fractions of seconds.
      value = scalars.prefix(18).reduce(0) { $0 * 10 + Int($1.value & 0x0F) }
    } else {
      text = DateFolding.text(scalars)
    }
  }
}

struct DateText {
  private(set) var tokens: [DateToken] = []
  /// The text of the first parentheses: sometimes the name of the zone.
  private(set) var comment = ""
  private(set) var isKorean = false
  private(set) var isThai = false

  private static let maximumTokens = 32

  init?(_ utf8: UnsafeBufferPointer<UInt8>) {
    var rest = DateFolding.fold(SafeText.line(utf8: utf8))[...]
    var isAdjacent = false
    while let first = rest.first {
      guard tokens.count < Self.maximumTokens else { return nil }
      if first == "(" {
        rest = takeComment(rest)
        continue
      }
      let (kind, length) = piece(first, rest, isAdjacent: isAdjacent)
      if first != " " {
        tokens.append(DateToken(kind, rest.prefix(length), isAdjacent: isAdjacent))
      }
      rest = rest.dropFirst(length)
      isAdjacent = first != " "
      isThai = isThai || (0xE01...0xE4F).contains(first.value)
      isKorean = isKorean || (0xAC00...0xD7A3).contains(first.value)
    }
  }

  private func piece(
    _ first: Unicode.Scalar,
    _ text: ArraySlice<Unicode.Scalar>,
    isAdjacent: Bool,
  ) -> (DateToken.Kind, Int) {
    switch first.value {
    case 0x30...0x39: (.number, text.prefix { ("0"..."9").contains($0) }.count)
    case 0x61...0x7A, 0x80..<0x2000: (.word, text.prefix(while: Self.isLetter).count)
    case 0x2000...:
      (
        .word,
        DateNames.eastAsianLength(
          text,
          isAfterNumber: isAdjacent && tokens.last?.kind == .number,
        ),
      )
    default: (.symbol, 1)
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || scalar == "_" || (0x80..<0x2000).contains(scalar.value)
  }

  /// Takes the comment at the beginning (RFC 5322 §3.2.2), with nested ones, and returns the rest.
  private mutating func takeComment(
    _ text: ArraySlice<Unicode.Scalar>
  ) -> ArraySlice<Unicode.Scalar> {
    var depth = 0
    let inside = text.prefix { scalar in
      depth += scalar == "(" ? 1 : scalar == ")" ? -1 : 0
      return depth > 0
    }
    if comment.isEmpty { comment = DateFolding.text(inside.dropFirst()) }
    return text.dropFirst(inside.count + 1)
  }
}

/// The letters, digits and marks in which the tables are written: lower case, no accents, ASCII
/// digits, hyphens and brackets.
enum DateFolding {
  static func fold(_ text: String) -> [Unicode.Scalar] {
    text.lowercased().unicodeScalars.compactMap { scalar in
      switch scalar.value {
      case 0x28...0x5A, 0x5C, 0x5E..<0x80, 0..<0x27: scalar
      // Apostrophes are parts of words, or stand for a century: `'19`.
      case 0x27, 0x2018, 0x2019, 0x2BC: nil
      // Java puts the name of the zone in brackets: a comment, too.
      case 0x5B: "("
      case 0x5D: ")"
      // Combining accents, and the joiners that SafeText lets pass.
      case 0x300...0x36F, 0x200C, 0x200D: nil
      case 0x2010...0x2015, 0x2212: "-"
      case 0x3001, 0x60C: ","
      case 0x3002: "."
      case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
      default: letters[scalar] ?? digit(scalar) ?? scalar
      }
    }
  }

  /// PERF: appending scalars one by one took a third of the time of a date.
  static func text(_ folded: ArraySlice<Unicode.Scalar>) -> String {
    String(unsafeUninitializedCapacity: folded.count * 4) { bytes in
      var count = 0
      for scalar in folded {
        for byte in scalar.utf8 {
          bytes[count] = byte
          count += 1
        }
      }
      return count
    }
  }

  /// The digits of Arabic, Persian, Devanagari, Bengali and Thai, by blocks of ten.
  private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let zero: UInt32
    switch scalar.value {
    case 0x660...0x669: zero = 0x660
    case 0x6F0...0x6F9: zero = 0x6F0
    case 0x966...0x96F: zero = 0x966
    case 0x9E6...0x9EF: zero = 0x9E6
    case 0xE50...0xE59: zero = 0xE50
    default: return nil
    }
    return Unicode.Scalar(scalar.value - zero + 0x30)
  }

  private static let letters: [Unicode.Scalar: Unicode.Scalar] = {
    var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
    for line in table.split(separator: " ") {
      for letter in line.unicodeScalars.dropFirst() { letters[letter] = line.unicodeScalars.first }
    }
    return letters
  }()

  private static let table = """
    aªàáâãäåæāăą cçćĉċč dðďđ eèéêëēĕėęě gĝğġģ hĥħ iìíîïĩīĭįı jĵ kķ lĺļľŀł nñńņňŋ oº°òóôõöøōŏőœ \
    rŕŗř sßśŝşšșſ tţťŧțþ uùúûüũūŭůűų wŵ yýÿŷ zźżž αά εέ ηή ιίΐϊ οό υύΰϋ ωώ σς μµ её ий
    """
}
