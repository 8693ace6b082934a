internal import System

/// A story's text as HTML that is safe on any page and in any app.
///
/// All that `publish` and `serve` give away of a text is written here. Only the words and links of
/// the document come through; every element and attribute is one that is written here.
package struct StoryHTML {
  private var html = Markup()
  private let level: Int
  /// True where audio and video are players: a page of a site links them, it loads only pictures.
  private let plays: Bool
  private var headings: [Int] = []

  package static func markup(
    _ document: StoryDocument,
    below level: Int,
    plays: Bool = false,
  ) -> Markup {
    var writer = StoryHTML(level: level, plays: plays)
    writer.add(document.blocks)
    if document.isCut || document.isBeginning { writer.html += "<p>…</p>\n" }
    return writer.html
  }

  /// A URL escaped for every document; nil if it is none of http, https and mailto.
  package static func link(_ url: String?) -> String? {
    guard let url, SafeLink.isSafe(url) || WebURL.isMail(url) else { return nil }
    let isPlain = { (byte: UInt8) in !"\"<>\\^`{|}".utf8.contains(byte) }
    return url.utf8.allSatisfy(isPlain) ? url : url.utf8.percentEncoded(unless: isPlain)
  }

  /// Returns a URL of http or https with escapes; nil for any other.
  package static func webLink(_ url: String?) -> String? {
    url.flatMap { SafeLink.isSafe($0) ? link($0) : nil }
  }

  /// A link that gives away nothing of the page on which it is followed.
  package static func anchor(_ url: String, _ words: Markup) -> Markup {
    "\(start(url))\(words)</a>"
  }

  private mutating func add(_ blocks: [StoryBlock]) {
    for block in blocks { add(block) }
  }

  /// Adds the contents of an item or a cell: a single paragraph needs no element of its own.
  private mutating func add(content blocks: [StoryBlock]) {
    if blocks.count == 1, case .paragraph(let inlines) = blocks[0] { return add(inlines) }
    html += "\n"
    add(blocks)
  }

  private mutating func add(_ block: StoryBlock) {
    switch block {
    case .paragraph(let inlines): add("p", inlines)
    case .heading(let level, let inlines): add(heading: level, inlines)
    case .list(let list): add(list)
    case .quotation(let blocks):
      html += "<blockquote>\n"
      add(blocks)
      html += "</blockquote>\n"
    case .preformatted(let inlines): add("pre", inlines)
    case .table(let table): add(table)
    case .rule: html += "<hr>\n"
    case .definitions(let definitions): add(definitions)
    case .figure(let blocks, let caption):
      html += "<figure>\n"
      add(blocks)
      if !caption.isEmpty { add("figcaption", caption) }
      html += "</figure>\n"
    case .media(let media): add(media)
    }
  }

  private mutating func add(_ name: StaticString, _ inlines: [StoryInline]) {
    html += "<\(name.description)>"
    add(inlines)
    html += "</\(name.description)>\n"
  }

  /// Adds a heading so that no level is skipped, whatever the document does.
  private mutating func add(heading number: Int, _ inlines: [StoryInline]) {
    while let last = headings.last, last >= number { headings.removeLast() }
    headings.append(number)
    let number = min(level + headings.count, 6)
    html += "<h\(number)>"
    add(inlines)
    html += "</h\(number)>\n"
  }

  private mutating func add(_ list: StoryList) {
    switch (list.isOrdered, list.numbering) {
    case (false, _): html += "<ul>\n"
    case (true, .decimal): html += "<ol>\n"
    case (true, let numbering): html += "<ol type=\"\(numbering.rawValue)\">\n"
    }
    var next = 1
    for (index, item) in list.items.enumerated() {
      let number = list.isOrdered && index < list.numbers.count ? list.numbers[index] : next
      html += number == next ? "<li>" : "<li value=\"\(number)\">"
      next = number &+ 1
      add(content: item)
      html += "</li>\n"
    }
    html += list.isOrdered ? "</ol>\n" : "</ul>\n"
  }

  private mutating func add(_ table: StoryTable) {
    html += "<div class=\"wide\"><table>\n"
    if !table.caption.isEmpty { add("caption", table.caption) }
    for row in table.rows {
      html += "<tr>\n"
      for cell in row {
        html += cell.isHeader ? "<th" : "<td"
        if cell.columns > 1 { html += " colspan=\"\(min(cell.columns, 1000))\"" }
        if cell.rows > 1 { html += " rowspan=\"\(min(cell.rows, 65_534))\"" }
        html += ">"
        add(content: cell.blocks)
        html += cell.isHeader ? "</th>\n" : "</td>\n"
      }
      html += "</tr>\n"
    }
    html += "</table></div>\n"
  }

  private mutating func add(_ definitions: [StoryDefinition]) {
    html += "<dl>\n"
    for definition in definitions {
      if !definition.term.isEmpty { add("dt", definition.term) }
      guard !definition.blocks.isEmpty else { continue }
      html += "<dd>"
      add(content: definition.blocks)
      html += "</dd>\n"
    }
    html += "</dl>\n"
  }

  /// Adds a player for a file, or a link: a frame is a page of strangers, and may run anything.
  private mutating func add(_ media: StoryMedia) {
    guard let url = Self.link(media.url) else { return }
    if plays, media.kind != .frame {
      let name = media.kind.rawValue
      let title: Markup = media.title.isEmpty ? "" : " title=\"\(media.title)\""
      // Readers that take an empty element for one that ends itself would put all that follows in it.
      let file = url.split(separator: "/").last.map { String($0.prefix { $0 != "?" }) } ?? ""
      let words = [media.title, file].first { !$0.isEmpty } ?? WebURL.host(of: url) ?? url
      html += "<\(name) controls preload=\"none\" src=\"\(url)\"\(title)>"
      html += "\(Self.anchor(url, "\(words)"))</\(name)>\n"
      return
    }
    let kind = media.kind == .frame ? "page" : media.kind.rawValue
    let name = media.title.isEmpty ? WebURL.host(of: url) ?? url : media.title
    html += "<p>\(Self.anchor(url, "\(name)")) (\(kind))</p>\n"
  }
}

extension StoryHTML {
  private mutating func add(_ inlines: [StoryInline]) {
    var open: String?
    for (index, inline) in inlines.enumerated() {
      let next = inlines[index...].first { $0 != .lineBreak }
      let following = Self.link(next?.link)
      let link = inline == .lineBreak && following != open ? nil : following
      if link != open {
        if open != nil { html += "</a>" }
        if let link { html += Self.start(link) }
        open = link
      }
      switch inline {
      case .text(let run): add(run)
      case .image(let image): add(image)
      case .lineBreak: html += "<br>"
      }
    }
    if open != nil { html += "</a>" }
  }

  private static func start(_ link: String) -> Markup {
    "<a href=\"\(link)\" rel=\"noopener noreferrer\">"
  }

  private mutating func add(_ run: StoryRun) {
    let marks = Self.elements.filter { run.marks.contains($0.mark) }.map(\.name)
    for name in marks { html += "<\(name)>" }
    html += "\(run.text)"
    for name in marks.reversed() { html += "</\(name)>" }
  }

  private static let elements: [(mark: StoryMarks, name: String)] = [
    (.strong, "strong"), (.emphasis, "em"), (.deleted, "del"), (.underlined, "u"),
    (.raised, "sup"), (.lowered, "sub"), (.code, "code"),
  ]

  /// Adds an image; one without words in a link says that it is an image, since a link needs words.
  private mutating func add(_ image: StoryImage) {
    let text = image.text.isEmpty && Self.link(image.link) != nil ? "image" : image.text
    guard let url = Self.webLink(image.url) else {
      html += "\(text)"
      return
    }
    html += "<img src=\"\(url)\" alt=\"\(text)\" loading=\"lazy\" referrerpolicy=\"no-referrer\">"
  }
}
