/// The meaning of an HTML element for a reader of its text.
enum HTMLRole: Hashable, Sendable {
  case hidden
  /// Text in lines of its own.
  case block
  /// Text between blank lines.
  case paragraph
  case list(isOrdered: Bool)
  case item
  case preformatted
  case rowGroup
  case cell(isHeader: Bool)
  case frame(StoryFrame.Kind)
  case marked(StoryMarks)
  case link
  /// A link in a picture.
  case area
  case quoted
  case abbreviation
  case rubyText
  case lineBreak
  case rule
  case image
  /// A player, whose sources are in it or in its attributes.
  case media(StoryMedia.Kind)
  case source
  case drawing
  /// Content for browsers without scripts, such as the picture that a script would place.
  case instead
  case title

  /// Returns nil for an element whose text is a part of the text around it.
  static func of(_ name: String) -> HTMLRole? { roles[name] }

  private static let roles: [String: HTMLRole] = {
    var roles: [String: HTMLRole] = [
      "blockquote": .frame(.quotation), "table": .frame(.table), "thead": .rowGroup,
      "tbody": .rowGroup, "tfoot": .rowGroup, "tr": .frame(.row), "td": .cell(isHeader: false),
      "th": .cell(isHeader: true), "caption": .frame(.tableCaption), "dl": .frame(.definitions),
      "dt": .frame(.term), "dd": .frame(.description), "figure": .frame(.figure),
      "figcaption": .frame(.caption), "summary": .frame(.summary),
      "a": .link, "q": .quoted, "abbr": .abbreviation, "acronym": .abbreviation,
      "rt": .rubyText, "br": .lineBreak, "hr": .rule, "img": .image, "image": .image,
      "amp-img": .image, "amp-audio": .media(.audio), "amp-video": .media(.video),
      "amp-iframe": .media(.frame), "amp-youtube": .media(.frame), "area": .area,
      "audio": .media(.audio), "video": .media(.video), "iframe": .media(.frame),
      "embed": .media(.frame), "source": .source, "svg": .drawing, "noscript": .instead,
      "title": .title, "li": .item,
      "ol": .list(isOrdered: true), "ul": .list(isOrdered: false), "menu": .list(isOrdered: false),
      "dir": .list(isOrdered: false), "sup": .marked(.raised), "sub": .marked(.lowered),
    ]
    func add(_ names: String, _ role: HTMLRole) {
      for name in names.split(separator: " ") { roles[String(name)] = role }
    }
    add(
      "script style template head button select input textarea datalist canvas rp"
        + " annotation annotation-xml track noframes frameset progress meter dialog",
      .hidden,
    )
    add("div center address", .block)
    add(
      "p article aside body details fieldset footer form header hgroup html legend main nav section"
        + " object optgroup",
      .paragraph,
    )
    add("pre listing xmp plaintext", .preformatted)
    add("em i cite dfn var", .marked(.emphasis))
    add("b strong mark", .marked(.strong))
    add("code kbd samp tt", .marked(.code))
    add("del s strike", .marked(.deleted))
    add("ins u", .marked(.underlined))
    for level in 1...6 { roles["h\(level)"] = .frame(.heading(level)) }
    return roles
  }()
}
