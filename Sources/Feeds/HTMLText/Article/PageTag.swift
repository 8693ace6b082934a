enum PageTag: String, CaseIterable, Sendable {
  case document, text, other
  case html, body, div, section, article, main, header, footer, aside, nav, center, form, fieldset
  case p, pre, blockquote, h1, h2, h3, h4, h5, h6, hr, br, address, details, summary
  case ul, ol, li, dl, dt, dd, figure, figcaption
  case table, caption, colgroup, col, thead, tbody, tfoot, tr, th, td
  case a, span, em, i, b, strong, u, s, del, ins, sub, sup, small, mark, q, cite, abbr, dfn, time
  case code, kbd, samp, tt, `var`, ruby, rt, rp, font, label
  case img, picture, source, audio, video, iframe, object, embed
  /// Any control of a form, selections and fields of text too: none of them has text.
  case input

  static func of(_ name: String) -> PageTag { tags[name] ?? .other }

  private static let tags: [String: PageTag] = {
    var tags: [String: PageTag] = [:]
    for tag in allCases { tags[tag.rawValue] = tag }
    (tags["document"], tags["text"], tags["other"]) = (nil, nil, nil)
    (tags["strike"], tags["big"], tags["image"], tags["amp-img"]) = (.s, .span, .img, .img)
    for name in ["select", "textarea"] { tags[name] = .input }
    return tags
  }()

  /// True for a part of the paragraph around it, unless it has a paragraph in it.
  var isPhrasing: Bool {
    switch self {
    case .text, .other, .br, .a, .span, .em, .i, .b, .strong, .u, .s, .del, .ins, .sub, .sup,
      .small, .mark, .q, .cite, .abbr, .dfn, .time, .code, .kbd, .samp, .tt, .var, .ruby, .rt, .rp,
      .font, .label, .img, .picture, .source, .audio, .video, .iframe, .object, .embed, .input:
      true
    default: false
    }
  }

  var isHeading: Bool {
    switch self {
    case .h1, .h2, .h3, .h4, .h5, .h6: true
    default: false
    }
  }

  var isBody: Bool { self == .document || self == .html || self == .body }

  var isList: Bool { self == .ul || self == .ol }

  var isMedia: Bool { self == .audio || self == .video }

  /// True for an element with a meaning even without any text.
  var isFilled: Bool {
    switch self {
    case .img, .audio, .video, .iframe, .hr, .br, .source, .col, .td, .th: true
    default: false
    }
  }

  /// True if text directly in it is a paragraph.
  var holdsParagraphs: Bool {
    switch self {
    case .li, .dt, .dd, .th, .td, .caption, .figcaption, .summary, .pre, .h1, .h2, .h3, .h4, .h5,
      .h6, .ul, .ol, .dl, .table, .tr:
      false
    default: true
    }
  }

  var attributes: [StaticString] {
    switch self {
    case .a: ["href", "title"]
    case .img:
      [
        "src", "data", "srcset", "data-src", "data-lazy-src", "data-original", "data-actualsrc",
        "data-srcset", "data-lazy-srcset", "sizes", "alt", "title", "width", "height",
      ]
    case .source: ["src", "srcset", "data-srcset", "data-lazy-srcset", "type", "media"]
    case .audio, .video: ["src", "data", "type", "poster", "title", "width", "height"]
    case .iframe: ["src", "data-src", "title", "width", "height"]
    case .td, .th: ["colspan", "rowspan"]
    case .ol: ["start", "reversed", "type"]
    case .li: ["value"]
    case .abbr, .dfn: ["title"]
    case .time: ["datetime"]
    default: []
    }
  }
}
