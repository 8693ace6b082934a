enum ScalarRole {
  case visible
  /// White space and control characters, which become a space.
  case space
  case mark
  /// U+200C and U+200D: invisible, but words and emoji fall apart without them.
  case joiner
  /// Dropped without a trace: bidirectional controls, signs without width, noncharacters.
  case unwanted

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0...0x20, 0x7F...0xA0: self = .space
    case 0x21...0xAC, 0xAE...0x2FF: self = .visible
    // PERF NOTES: the scripts without combining marks come before the table of categories, whose
    // look-up costs 15 ns a scalar.
    case 0x370...0x482, 0x48A...0x590, 0x3001...0x3029, 0x3030...0x3098, 0x309B...0x3163,
      0x3165...0xA66E, 0xAC00...0xD7A3, 0xFF00...0xFF9F, 0xFFA1...0xFFEF, 0x1F000...0x1FAFF,
      0x2010...0x2027, 0x2030...0x205E:
      self = .visible
    case 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: self = .space
    case 0x200C, 0x200D: self = .joiner
    case _ where SafeText.isHidden(scalar): self = .unwanted
    case 0..<0x2000: self = Self.isEarlyMark[Int(scalar.value)] ? .mark : .visible
    default: self = Self(categoryOf: scalar)
    }
  }

  /// The scalars below General Punctuation that are marks, in a table.
  ///
  /// A document full of them would take seconds otherwise.
  private static let isEarlyMark = (0..<0x2000).map { value in
    Unicode.Scalar(value).map { Self(categoryOf: $0) } == .mark
  }

  private init(categoryOf scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
    default: self = .visible
    }
  }
}

extension Unicode.Scalar {
  /// True for scalars of some blocks in which each is a character, apart from marks and joiners.
  var isWholeCharacter: Bool {
    switch value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x590, 0x2010...0x2027,
      0x2030...0x205E,
      0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF:
      true
    default: false
    }
  }

  /// True for the wide characters of Chinese and Japanese, between which a line may be broken, and
  /// a line break is no space (CSS Text 3, 4.1.3).
  package var isEastAsian: Bool {
    switch value {
    case 0x2E80...0x312F, 0x3190...0xA4CF, 0xF900...0xFAFF, 0xFF00...0xFF60, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// True for joiners, variation selectors, skin tones and the marks of Europe's scripts, which
  /// belong to the character before them.
  var extendsCharacter: Bool {
    switch value {
    case ..<0x300: false
    case 0x200D, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF: true
    default: value < 0x800 && ScalarRole(self) == .mark
    }
  }

  /// True for some blocks of pictographs that ZERO WIDTH JOINER makes one character of.
  var isPictograph: Bool {
    switch value {
    case 0x1F300...0x1F3FA, 0x1F400...0x1F64F, 0x1F680...0x1F6FF, 0x1F90C...0x1F93A: true
    default: false
    }
  }
}

extension SafeText {
  /// Returns true for formatting that reorders, hides or separates text, for signs without width,
  /// and for noncharacters: a safe line drops them, and formats with escapes escape them.
  ///
  /// These are Unicode's Default_Ignorable_Code_Point and the rest of its category Cf, but for the
  /// signs of Arabic, Syriac and Kaithi that are seen. Controls are not among them; nor are U+200C
  /// and U+200D, which words and emoji need, and U+FE0E and U+FE0F, by which a sign is an emoji or
  /// none.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0xAD: false
    case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B, 0x200E,
      0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFDD0...0xFDEF, 0xFE00...0xFE0D, 0xFEFF,
      0xFFA0, 0xFFF0...0xFFFB, 0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
      0xE0000...0xE0FFF:
      true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }
}
