/// The elements of HTML, and what their tags are to plain text.
enum HTMLElement {
  enum Kind {
    case block
    /// The same, and often without an end tag, also where it has no attributes.
    case openBlock
    case inline
    /// The same, and without an end tag.
    case openInline
    /// Its content is not text, or not for readers of text.
    case stripped

    var separatesWords: Bool { self == .block || self == .openBlock }
    var needsEndTag: Bool { self != .openBlock && self != .openInline }
  }

  static func kind(of name: some Collection<UInt8>) -> Kind? {
    packed(name).flatMap { kinds[$0] }
  }

  /// A name of up to twelve letters and digits as a number, in lower case.
  private static func packed(_ name: some Collection<UInt8>) -> UInt64? {
    guard name.count <= 12 else { return nil }
    var packed: UInt64 = 0
    for byte in name {
      switch byte {
      case 0x30...0x39: packed = packed * 37 + UInt64(byte - 0x30) + 1
      case 0x41...0x5A: packed = packed * 37 + UInt64(byte - 0x41) + 11
      case 0x61...0x7A: packed = packed * 37 + UInt64(byte - 0x61) + 11
      default: return nil
      }
    }
    return packed
  }

  private static let kinds: [UInt64: Kind] = {
    var kinds: [UInt64: Kind] = [:]
    for (kind, names) in names {
      for name in names.split(whereSeparator: \.isWhitespace) {
        packed(name.utf8).map { kinds[$0] = kind }
      }
    }
    return kinds
  }()

  /// The current elements of HTML, the obsolete ones (HTML §16.2), and the presentational ones of
  /// MathML.
  private static let names: [Kind: String] = [
    .block: """
    dl h1 h2 h3 h4 h5 h6 ol ul dir div form main menu nav pre xmp aside center dialog figure
    footer header hgroup legend search table title address article details fieldset frameset
    section summary blockquote figcaption plaintext body col html option tbody tfoot thead caption
    colgroup optgroup
    """,
    .openBlock: "p br dd dt hr li td th tr",
    .inline: """
    a b i q s u em mi mn mo ms rb rp rt tt abbr bdi bdo big cite code data del dfn font ins kbd
    map mark math mrow msub msup mtd mtr nobr rtc ruby samp slot span sub sup time var applet
    blink button label meter mfrac mover mspace msqrt mstyle mtable mtext munder object output
    select small strike strong acronym datalist marquee menclose msubsup noscript picture
    progress textarea semantics area base img link meta embed frame image input keygen param source
    spacer track basefont bgsound isindex
    """,
    .openInline: "wbr",
    .stripped: "head svg audio canvas iframe script style video noembed noframes template",
  ]
}
