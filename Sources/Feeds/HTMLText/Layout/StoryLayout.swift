package import CommandLine

package struct StoryLayout {
  let columns: Int
  let signs: StorySigns
  let links: StoryLinks
  let facts: [String: String]
  let pictures: [String: [String]]
  package private(set) var lines: [StyledLine] = []
  private var margin = StyledLine()
  private var marginWidth = 0
  /// The bullet of an item, which replaces the margin of the next line only.
  private var marker: StyledLine?
  /// The least width that any indentation leaves.
  private static let leastColumns = 20
  private static let mostMargin = 60

  package init(
    columns: Int,
    signs: StorySigns,
    links: StoryLinks,
    facts: [String: String] = [:],
    pictures: [String: [String]] = [:],
  ) {
    self.columns = columns
    self.signs = signs
    self.links = links
    self.facts = facts
    self.pictures = pictures
  }

  var room: Int { max(columns - marginWidth, 1) }

  package mutating func add(_ document: StoryDocument) {
    add(document.blocks)
    if document.isCut { add(note: "(the rest of this text is too deep or too long)") }
    if document.isBeginning { add(note: StoryDocument.beginningNote) }
  }

  private mutating func add(note: String) {
    addGap()
    for line in TerminalText.wrap(note, to: room) {
      emit(StyledLine([StyledSpan(text: line, style: .dim)]))
    }
  }

  mutating func add(_ blocks: [StoryBlock], isTight: Bool = false) {
    for (index, block) in blocks.enumerated() {
      if index > 0, !isTight { addGap() }
      add(block)
    }
  }

  mutating func add(_ inlines: [StoryInline], style: TextStyle = []) {
    if !pictures.isEmpty { for inline in inlines { addPicture(inline) } }
    let words = StyledWords(inlines, signs, links, style: style)
    for line in words.wrapped(to: room) { emit(line) }
  }

  /// Adds a picture above the paragraph that it is in, cut to the room.
  private mutating func addPicture(_ inline: StoryInline) {
    guard case .image(let image) = inline, let lines = image.url.flatMap({ pictures[$0] }) else {
      return
    }
    for line in lines {
      emit(StyledLine([StyledSpan(text: TerminalText.folded(line, to: room)[0])]))
    }
  }

  mutating func emit(_ line: StyledLine) {
    lines.append(StyledLine((marker ?? margin).spans + line.spans))
    marker = nil
  }

  mutating func addGap() {
    guard marker == nil, let last = lines.last, last != margin else { return }
    lines.append(margin)
  }

  private mutating func add(_ block: StoryBlock) {
    switch block {
    case .paragraph(let inlines): add(inlines)
    case .heading(_, let inlines): add(inlines, style: .bold)
    case .list(let list): add(list)
    case .quotation(let blocks):
      indent([StyledSpan(text: signs.bar + " ", style: .dim)]) { $0.add(blocks) }
    case .preformatted(let inlines): addPreformatted(inlines)
    case .table(let table): add(table)
    case .rule:
      let line = String(repeating: signs.line, count: room)
      emit(StyledLine([StyledSpan(text: line, style: .dim)]))
    case .definitions(let definitions): for definition in definitions { add(definition) }
    case .figure(let blocks, let caption):
      add(blocks)
      add(caption, style: .italic)
    case .media(let media): add(media)
    }
  }

  private mutating func add(_ definition: StoryDefinition) {
    if !definition.term.isEmpty { add(definition.term, style: .bold) }
    indent([StyledSpan(text: TerminalText.spaces(4))]) { $0.add(definition.blocks) }
  }

  /// Adds `[4: audio: title, audio/mpeg, 12.3 MB, 34:12]`.
  private mutating func add(_ media: StoryMedia) {
    guard let url = media.url else { return }
    let kind = media.kind == .frame ? "embedded" : media.kind.rawValue
    let facts = self.facts[url] ?? media.type ?? ""
    let words = [media.title, facts].filter { !$0.isEmpty }.joined(separator: ", ")
    let number = links.number(of: url).map { "\($0): " } ?? ""
    let text = "[\(number)\(kind)\(words.isEmpty ? "" : ": \(words)")]"
    for line in TerminalText.wrap(text, to: room) {
      emit(StyledLine([StyledSpan(text: line, style: .dim, link: url)]))
    }
  }
}

// MARK: - Lists and margins

extension StoryLayout {
  private mutating func add(_ list: StoryList) {
    let isTight = list.items.allSatisfy(Self.isShort)
    let labels = list.isOrdered ? list.numbers.map(list.numbering.label) : []
    let width = list.isOrdered ? (labels.map(\.count).max() ?? 1) + 2 : 2
    for (index, blocks) in list.items.enumerated() where !blocks.isEmpty {
      if index > 0, !isTight { addGap() }
      let sign = list.isOrdered ? "\(labels[index]). " : signs.bullet + " "
      let first = StyledSpan(text: TerminalText.right(sign, in: width))
      indent([StyledSpan(text: TerminalText.spaces(width))], first: first) {
        $0.add(blocks, isTight: isTight)
      }
    }
  }

  /// Returns true for an item of one paragraph, with lists of such items below it.
  private static func isShort(_ blocks: [StoryBlock]) -> Bool {
    blocks.enumerated().allSatisfy { index, block in
      switch block {
      case .paragraph, .media: index == 0
      case .list(let list): list.items.allSatisfy(isShort)
      default: false
      }
    }
  }

  private mutating func indent(
    _ spans: [StyledSpan],
    first: StyledSpan? = nil,
    _ content: (inout StoryLayout) -> Void,
  ) {
    let outer = (margin, marginWidth)
    let width = StyledLine(spans).width(.joined)
    let hasRoom = columns - marginWidth - width >= min(Self.leastColumns, columns / 2)
    if let first { marker = StyledLine((marker ?? margin).spans + [first]) }
    if hasRoom, marginWidth < Self.mostMargin {
      if first == nil, let marker { self.marker = StyledLine(marker.spans + spans) }
      margin = StyledLine(margin.spans + spans)
      marginWidth += width
    }
    content(&self)
    if first != nil { marker = nil }
    (margin, marginWidth) = outer
  }
}

// MARK: - Preformatted text

extension StoryLayout {
  /// Adds lines as they are, however long; the numbers of links stand at the ends of lines.
  private mutating func addPreformatted(_ inlines: [StoryInline]) {
    indent([StyledSpan(text: TerminalText.spaces(4))]) { layout in
      for line in PreformattedLines(inlines, layout.signs, layout.links).lines { layout.emit(line) }
    }
  }
}

private struct PreformattedLines {
  private(set) var lines: [StyledLine] = []
  private let signs: StorySigns
  private let links: StoryLinks
  private var line = StyledLine()
  private var column = 0
  private var numbers: [Int] = []
  private static let tab = 8

  init(_ inlines: [StoryInline], _ signs: StorySigns, _ links: StoryLinks) {
    (self.signs, self.links) = (signs, links)
    for inline in inlines.inLine(isUnicode: signs.isUnicode) { add(inline) }
    endLine()
    let isBlank = { (line: StyledLine) in line.spans.allSatisfy { $0.text.allSatisfy { $0 == " " } }
    }
    lines = Array(lines.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  private mutating func add(_ inline: StoryInline) {
    switch inline {
    case .text(let run): add(run)
    case .image(let image):
      append(links.label(of: image), .dim, image.url)
    case .lineBreak: endLine()
    }
  }

  private mutating func add(_ run: StoryRun) {
    let style = signs.style(run)
    for (index, text) in run.text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { endLine() }
      for (part, piece) in text.split(separator: "\t", omittingEmptySubsequences: false)
        .enumerated()
      {
        if part > 0 { append(TerminalText.spaces(Self.tab - column % Self.tab), style, run.link) }
        if !piece.isEmpty { append(String(piece), style, run.link) }
      }
    }
    if let number = run.link.flatMap(links.number(of:)), !numbers.contains(number) {
      numbers.append(number)
    }
  }

  private mutating func append(_ text: String, _ style: TextStyle, _ link: String?) {
    line.append(StyledSpan(text: text, style: style, link: link))
    column += TerminalText.width(text)
  }

  private mutating func endLine() {
    if !numbers.isEmpty {
      append(numbers.reduce(" ") { $0 + " [\($1)]" }, .dim, nil)
    }
    lines.append(line)
    (line, column, numbers) = (StyledLine(), 0, [])
  }
}
