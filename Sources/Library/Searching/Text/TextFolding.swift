internal import CommandLine

/// Removes case and diacritics: `Café` and `CAFE` are equal to a search.
///
/// Case is the standard library's; the letters in `groups` no longer have one. Kana and Hangul stay
/// as they are: their marks make other letters.
package enum TextFolding {
  package static func fold(_ text: String) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { fold(scalar.value) { result.append($0) } }
    return result
  }

  /// Searches for a `needle` that is folded already.
  package static func contains(_ text: String, _ needle: [UInt32]) -> Bool {
    guard let first = needle.first else { return true }
    let folded = fold(text)
    guard folded.count >= needle.count else { return false }
    return (0...(folded.count - needle.count)).contains { start in
      folded[start] == first && folded[start..<(start + needle.count)].elementsEqual(needle)
    }
  }

  /// Calls `body` with each folded scalar: none for a mark, several for some letters.
  @inline(__always)
  static func fold(_ value: UInt32, _ body: (UInt32) -> Void) {
    if value < 0x80 {
      body(value &- 0x41 < 26 ? value + 32 : value)
    } else if !RangeTable.contains(value, in: marks) {
      let lower = lowercase(value)
      if let base = bases[lower] {
        body(base)
      } else if let letters = expansions[lower] {
        for letter in letters { body(letter) }
      } else {
        body(lower)
      }
    }
  }

  private static func lowercase(_ value: UInt32) -> UInt32 {
    // İ has two scalars in lower case, and is in `groups`.
    guard let properties = Unicode.Scalar(value)?.properties, properties.changesWhenLowercased,
      let lower = properties.lowercaseMapping.unicodeScalars.first, value != 0x130
    else { return value }
    return lower.value
  }

  /// Each base, followed by the letters that are folded to it.
  ///
  /// These are canonical decompositions of Latin, Greek, Cyrillic, Hebrew and Arabic without their
  /// marks, letters with a stroke, second forms; spaces of all widths, and typographic apostrophes,
  /// quotation marks and dashes; digits that are raised or lowered. Characters that an editor would
  /// normalize are written by number.
  private static let groups =
    """
     \u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\
    \u{2009}\u{200a}\u{202f}\u{205f}\u{3000}|\
    "“”„‟|'ʼ‘’‚‛|\u{2d}\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}−⁻₋|\
    0⁰₀|1¹₁|2²₂|3³₃|4⁴₄|5⁵₅|6⁶₆|7⁷₇|8⁸₈|9⁹₉|+⁺₊|\
    aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ|bḃḅḇ|cçćĉċčḉ|dďđḋḍḏḑḓ|eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ|fḟ|\
    gĝğġģǧǵḡ|hĥħȟḣḥḧḩḫẖ|iìíîïĩīĭįİıǐȉȋḭḯỉị|jĵǰ|kķǩḱḳḵ|lĺļľłḷḹḻḽ|mḿṁṃ|nñńņňǹṅṇṉṋ|\
    oòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ|pṕṗ|rŕŗřȑȓṙṛṝṟ|sśŝşšſșṡṣṥṧṩẛ|tţťțṫṭṯṱẗ|\
    uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự|vṽṿ|wŵẁẃẅẇẉẘ|xẋẍ|yýÿŷȳẏẙỳỵỷỹ|zźżžẑẓẕ|æǣǽ|ʒǯ|\
    αάἀἁἂἃἄἅἆἇὰ\u{1f71}ᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ|βϐ|εέϵἐἑἒἓἔἕὲ\u{1f73}|ηήἠἡἢἣἤἥἦἧὴ\u{1f75}ᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ|\
    θϑ|ιΐίϊἰἱἲἳἴἵἶἷὶ\u{1f77}\u{1fbe}ῐῑῒ\u{1fd3}ῖῗ|κϰ|μµ|οόὀὁὂὃὄὅὸ\u{1f79}|πϖ|ρϱῤῥ|σς|\
    υΰϋύὐὑὒὓὔὕὖὗὺ\u{1f7b}ῠῡῢ\u{1fe3}ῦῧ|φϕ|ωώὠὡὢὣὤὥὦὧὼ\u{1f7d}ᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ|ϒϓϔ|аӑӓ|вᲀ|гѓ|дᲁ|\
    еѐёӗ|жӂӝ|зӟ|ийѝӣӥ|кќ|оӧᲂ|сᲃ|тᲄᲅ|уўӯӱӳ|чӵ|ъᲆ|ыӹ|эӭ|ії|ѣᲇ|ꙋᲈ|ѵѷ|әӛ|өӫ|\
    \u{5d0}\u{fb2e}\u{fb2f}\u{fb30}|\u{5d1}\u{fb31}\u{fb4c}|\u{5d2}\u{fb32}|\u{5d3}\u{fb33}|\
    \u{5d4}\u{fb34}|\u{5d5}\u{fb35}\u{fb4b}|\u{5d6}\u{fb36}|\u{5d8}\u{fb38}|\
    \u{5d9}\u{fb1d}\u{fb39}|\u{5da}\u{fb3a}|\u{5db}\u{fb3b}\u{fb4d}|\u{5dc}\u{fb3c}|\
    \u{5de}\u{fb3e}|\u{5e0}\u{fb40}|\u{5e1}\u{fb41}|\u{5e3}\u{fb43}|\u{5e4}\u{fb44}\u{fb4e}|\
    \u{5e6}\u{fb46}|\u{5e7}\u{fb47}|\u{5e8}\u{fb48}|\
    \u{5e9}\u{fb2a}\u{fb2b}\u{fb2c}\u{fb2d}\u{fb49}|\u{5ea}\u{fb4a}|\u{5f2}\u{fb1f}|\
    \u{627}\u{622}\u{623}\u{625}|\u{648}\u{624}|\u{64a}\u{626}|\u{6c1}\u{6c2}|\u{6d2}\u{6d3}|\
    \u{6d5}\u{6c0}
    """

  private static let bases: [UInt32: UInt32] = {
    var bases: [UInt32: UInt32] = [:]
    for group in groups.unicodeScalars.split(separator: "|") {
      for letter in group.dropFirst() { bases[letter.value] = group.first?.value }
    }
    return bases
  }()

  private static let expansions: [UInt32: [UInt32]] = {
    let letters: [Unicode.Scalar: String] = [
      "ß": "ss", "ŉ": "'n", "և": "եւ", "ẚ": "aʾ", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi",
      "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ﬓ": "մն", "ﬔ": "մե", "ﬕ": "մի", "ﬖ": "վն", "ﬗ": "մխ",
    ]
    return Dictionary(
      uniqueKeysWithValues: letters.map { ($0.value, $1.unicodeScalars.map(\.value)) }
    )
  }()

  /// Pairs of the first and the last of a range of marks that are dropped.
  static let marks: [UInt32] = [
    0x0300, 0x036f, 0x0483, 0x0487, 0x0591, 0x05bd, 0x05bf, 0x05bf, 0x05c1, 0x05c2, 0x05c4, 0x05c5,
    0x05c7, 0x05c7, 0x0610, 0x061a, 0x064b, 0x065f, 0x0670, 0x0670, 0x06d6, 0x06dc, 0x06df, 0x06e4,
    0x06e7, 0x06e8, 0x06ea, 0x06ed, 0x1ab0, 0x1ace, 0x1dc0, 0x1dff, 0x20d0, 0x20f0, 0xfe00, 0xfe0f,
    0xfe20, 0xfe2f,
  ]

  // MARK: The table of the first letters

  /// Values in `table`: no scalar is left, and `fold` has to be asked.
  static let (nothing, several) = (UInt16.max, UInt16.max - 1)

  /// The folded scalar of each scalar below `table.count`.
  ///
  /// PERF: one load for the alphabets of Europe; made on the first search.
  static let table: [UInt16] = (0..<0x2100).map { (value: UInt32) in
    var folded: [UInt32] = []
    fold(value) { folded.append($0) }
    return switch folded.count {
    case 0: nothing
    case 1: UInt16(folded[0])
    default: several
    }
  }
}
