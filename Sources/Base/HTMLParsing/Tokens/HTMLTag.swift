import System

package enum HTMLTag: String, CaseIterable, Sendable {
  case unknown = ""
  case a, abbr, acronym, address, annotation, applet, area, article, aside, audio
  case annotationXML = "annotation-xml"
  case b, base, basefont, bdi, bdo, bgsound, big, blink, blockquote, body, br, button
  case canvas, caption, center, cite, code, col, colgroup, data, datalist, dd, del, desc, details
  case dfn, dialog, dir, div, dl, dt, em, embed, fieldset, figcaption, figure, font, footer
  case foreignObject = "foreignobject"
  case form, frame, frameset, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html
  case i, iframe, image, img, input, ins, isindex, kbd, keygen, label, legend, li, link, listing
  case main, map, mark, marquee, math, menclose, menu, meta, meter, mfrac, mi, mn, mo, mover, mrow
  case maction, merror, mfenced, mlabeledtr, mpadded, mphantom, mprescripts, mroot, munderover
  case malignmark, mglyph, ms, mspace, msqrt, mstyle, msub, msubsup, msup, mtable, mtd, mtext, mtr
  case munder, nav, nobr, noembed, noframes, noscript, object, ol, optgroup, option, output
  case p, param, picture, plaintext, pre, progress, q, rb, rp, rt, rtc, ruby, s, samp, script
  case search, section, select, semantics, slot, small, source, spacer, span, strike, strong, style
  case sub, summary, sup, svg, table, tbody, td, template, textarea, tfoot, th, thead, time, title
  case tr, track, tt, u, ul, `var`, video, wbr, xmp

  package static func of(_ name: Slice<UnsafeRawBufferPointer>) -> HTMLTag {
    guard let key = key(name) else { return long(name) }
    var slot = slot(key)
    while slots[slot].tag != .unknown {
      if slots[slot].key == key { return slots[slot].tag }
      slot = (slot + 1) % slotCount
    }
    return .unknown
  }

  private static func long(_ name: Slice<UnsafeRawBufferPointer>) -> HTMLTag {
    [.annotationXML, .foreignObject].first {
      $0.rawValue.utf8.elementsEqual(name) { $0 == $1.asciiLowercased }
    } ?? .unknown
  }

  /// Returns a name of up to twelve letters, digits and hyphens as a number, in lower case.
  ///
  /// Two names of HTML are longer: `long` finds them.
  @inline(__always)
  private static func key(_ name: some Collection<UInt8>) -> UInt64? {
    guard name.count <= 12 else { return nil }
    var key: UInt64 = 0
    for byte in name {
      switch byte {
      case 0x61...0x7A: key = key &* 38 &+ UInt64(byte &- 0x61) &+ 11
      case 0x41...0x5A: key = key &* 38 &+ UInt64(byte &- 0x41) &+ 11
      case 0x30...0x39: key = key &* 38 &+ UInt64(byte &- 0x30) &+ 1
      case 0x2D: key = key &* 38 &+ 37
      default: return nil
      }
    }
    return key
  }

  private static let slotCount = 512

  @inline(__always)
  private static func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 55)
  }

  private static let slots: [(key: UInt64, tag: HTMLTag)] = {
    var slots = [(key: UInt64, tag: HTMLTag)](repeating: (0, .unknown), count: slotCount)
    for tag in allCases where tag != .unknown {
      guard let key = key(tag.rawValue.utf8) else { continue }
      var slot = slot(key)
      while slots[slot].tag != .unknown { slot = (slot + 1) % slotCount }
      slots[slot] = (key, tag)
    }
    return slots
  }()
}

// MARK: - Kinds by the standard (HTML §13.2.4.2)

extension HTMLTag {
  var isSpecial: Bool {
    switch self {
    case .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote, .body,
      .br, .button, .caption, .center, .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed,
      .fieldset, .figcaption, .figure, .footer, .form, .frame, .frameset, .h1, .h2, .h3, .h4, .h5,
      .h6, .head, .header, .hgroup, .hr, .html, .iframe, .img, .input, .keygen, .li, .link,
      .listing, .main, .marquee, .menu, .meta, .nav, .noembed, .noframes, .noscript, .object, .ol,
      .p, .param, .plaintext, .pre, .script, .search, .section, .select, .source, .style, .summary,
      .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title, .tr, .track, .ul,
      .wbr, .xmp:
      true
    default: false
    }
  }

  var isFormatting: Bool {
    switch self {
    case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u: true
    default: false
    }
  }

  var isHeading: Bool {
    switch self {
    case .h1, .h2, .h3, .h4, .h5, .h6: true
    default: false
    }
  }

  /// True where the start tag ends a paragraph, and the end tag only itself.
  var isBlock: Bool {
    switch self {
    case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl,
      .fieldset, .figcaption, .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .search,
      .section, .summary, .ul:
      true
    default: false
    }
  }

  /// True where the end tag, though of no block, ends the open elements inside.
  var endsItself: Bool {
    switch self {
    case .applet, .button, .dd, .dt, .form, .listing, .marquee, .object, .pre, .select: true
    default: false
    }
  }

  var isVoid: Bool {
    switch self {
    case .area, .base, .basefont, .bgsound, .br, .col, .embed, .frame, .hr, .image, .img, .input,
      .keygen, .link, .meta, .param, .source, .track, .wbr:
      true
    default: false
    }
  }

  /// True where the content is text, whatever stands in it.
  var isRaw: Bool {
    switch self {
    case .iframe, .noembed, .noframes, .plaintext, .script, .style, .textarea, .title, .xmp: true
    default: false
    }
  }

  var isOfHead: Bool {
    switch self {
    case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
      true
    default: false
    }
  }

  var isCell: Bool { self == .td || self == .th }

  var isRowGroup: Bool { self == .tbody || self == .thead || self == .tfoot }

  var isOfTable: Bool {
    switch self {
    case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr: true
    default: false
    }
  }

  /// True where text directly inside is moved before the table (HTML §13.2.6.1, foster parenting).
  var isFostering: Bool { self == .table || isRowGroup || self == .tr }

  var hasImpliedEnd: Bool {
    switch self {
    case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
    default: false
    }
  }

  var isNeverForeign: Bool {
    switch self {
    case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1,
      .h2, .h3, .h4, .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p,
      .pre, .ruby, .s, .small, .span, .strike, .strong, .sub, .sup, .table, .tt, .u, .ul, .var:
      true
    default: false
    }
  }

  /// True where a search for an open element stops (HTML §13.2.4.2).
  var endsScope: Bool {
    switch self {
    case .applet, .caption, .html, .marquee, .object, .select, .table, .td, .template, .th: true
    default: false
    }
  }
}

// MARK: - Kinds for plain text

extension HTMLTag {
  package var separatesWords: Bool {
    switch self {
    case .br, .dd, .dt, .hr, .li, .p, .pre, .td, .th, .tr, .xmp, .body, .caption, .col, .colgroup,
      .form, .frameset, .html, .legend, .listing, .optgroup, .option, .plaintext, .table, .tbody,
      .tfoot, .thead, .title:
      true
    default: isBlock || isHeading
    }
  }

  /// True where an end tag is often missing, also without attributes.
  var isOftenOpen: Bool {
    switch self {
    case .br, .dd, .dt, .hr, .li, .p, .td, .th, .tr, .wbr: true
    default: false
    }
  }

  var isLostWhenFlat: Bool {
    switch self {
    case .a, .audio, .math, .object, .svg, .video: true
    default: false
    }
  }

  var isTold: Bool {
    self == .sup || self == .sub || self == .math || self == .input || self == .pre
  }

  package var isStripped: Bool {
    switch self {
    case .audio, .canvas, .head, .iframe, .noembed, .noframes, .script, .style, .svg, .template,
      .video:
      true
    default: false
    }
  }
}
