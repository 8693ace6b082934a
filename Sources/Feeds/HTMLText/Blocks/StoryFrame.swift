struct StoryFrame {
  enum Kind: Hashable, Sendable {
    case document
    case quotation
    case list(StoryOrdering?)
    case item(value: Int?)
    case table
    case row
    case cell(isHeader: Bool, columns: Int, rows: Int)
    case definitions
    case description
    case figure
    case media
    case heading(Int)
    case tableCaption
    case term
    case caption
    case summary
  }

  let kind: Kind
  var blocks: [StoryBlock] = []
  var items: [[StoryBlock]] = []
  var values: [Int?] = []
  var rows: [[StoryTable.Cell]] = []
  var cells: [StoryTable.Cell] = []
  var definitions: [StoryDefinition] = []
  var caption: [StoryInline] = []
  var media: StoryMedia?
  /// The first of the rows into which no cell above reaches.
  private var firstOfGroup = 0

  init(_ kind: Kind) {
    self.kind = kind
  }

  mutating func append(_ block: StoryBlock) {
    if case .list = kind {
      // Content of a list outside its items, such as a list, belongs to the item before.
      if items.isEmpty { append(item: [], value: nil) }
      items[items.count - 1].append(block)
    } else {
      blocks.append(block)
    }
  }

  /// Adds a line to the last paragraph where both are short; false where they are two paragraphs.
  ///
  /// Lines of verse, of a list or of an address may each be an element.
  mutating func addLine(_ line: [StoryInline]) -> Bool {
    guard Self.isShort(line[...]), case .paragraph(var inlines)? = blocks.last,
      Self.isShort(inlines[((inlines.lastIndex(of: .lineBreak) ?? -1) + 1)...])
    else { return false }
    // Taken out first: an array with two owners would be copied each time.
    blocks.removeLast()
    inlines.append(.lineBreak)
    inlines += line
    blocks.append(.paragraph(inlines))
    return true
  }

  private static let shortLine = 80

  private static func isShort(_ line: ArraySlice<StoryInline>) -> Bool {
    var length = 0
    for inline in line where length <= shortLine {
      length += inline.text(lineBreak: "").utf16.count
    }
    return length <= shortLine
  }

  private mutating func append(all blocks: [StoryBlock]) {
    for block in blocks { append(block) }
  }

  mutating func append(_ frame: StoryFrame) {
    switch frame.kind {
    case .document: append(all: frame.blocks)
    case .quotation: if !frame.blocks.isEmpty { append(.quotation(frame.blocks)) }
    case .list(let order):
      let list =
        order.map { StoryList($0, items: frame.items, values: frame.values) }
        ?? StoryList(isOrdered: false, items: frame.items)
      if !list.items.allSatisfy(\.isEmpty) { append(.list(list)) }
    case .item(let value): append(item: frame.blocks, value: value)
    case .table, .row, .cell: append(tabular: frame)
    case .definitions, .term, .description: append(definition: frame)
    case .figure:
      let isBare = frame.caption.isEmpty
      if isBare {
        append(all: frame.blocks)
      } else {
        append(.figure(frame.blocks, caption: frame.caption))
      }
    case .media: if let media = frame.media, media.url != nil { append(.media(media)) }
    case .heading, .tableCaption, .caption, .summary: append(text: frame)
    }
  }

  private mutating func append(item: [StoryBlock], value: Int?) {
    if case .list = kind {
      items.append(item)
      values.append(value)
      return
    }
    guard !item.isEmpty else { return }
    if case .list(let list)? = blocks.last, !list.isOrdered {
      blocks.removeLast()
      blocks.append(.list(StoryList(isOrdered: false, items: list.items + [item])))
    } else {
      append(.list(StoryList(isOrdered: false, items: [item])))
    }
  }

  private mutating func append(tabular frame: StoryFrame) {
    switch (frame.kind, kind) {
    case (.row, .table):
      if !frame.cells.isEmpty { rows.append(Self.withoutLineNumbers(frame.cells)) }
    case (.cell(let isHeader, let columns, let rows), .row):
      cells.append(.init(isHeader: isHeader, columns: columns, rows: rows, blocks: frame.blocks))
    case (.cell, .table): rows.append([.init(blocks: frame.blocks)])
    case (.table, _):
      var frame = frame
      frame.endRowGroup()
      append(all: frame.blocks)
      guard frame.rows.contains(where: { $0.contains { !$0.blocks.isEmpty } }) else { return }
      append(.table(StoryTable(caption: frame.caption, rows: frame.rows)))
    default:
      append(all: frame.blocks)
      for cell in frame.cells { append(all: cell.blocks) }
    }
  }

  /// Leaves out a cell that numbers the lines of the code in the other.
  private static func withoutLineNumbers(_ cells: [StoryTable.Cell]) -> [StoryTable.Cell] {
    guard cells.count == 2, cells[0].blocks.count == 1, case .preformatted? = cells[1].blocks.first
    else { return cells }
    switch cells[0].blocks[0] {
    case .preformatted(let inlines), .paragraph(let inlines):
      return areLineNumbers(inlines) ? [cells[1]] : cells
    default: return cells
    }
  }

  private static func areLineNumbers(_ inlines: [StoryInline]) -> Bool {
    let texts = inlines.map { inline in
      if case .text(let run) = inline { run.text } else { inline == .lineBreak ? "\n" : "?" }
    }
    let words = texts.joined().split(whereSeparator: \.isWhitespace)
    guard let first = words.first.flatMap({ Int($0) }), 0...100_000 ~= first else { return false }
    return words.enumerated().allSatisfy { $1 == "\(first + $0)" }
  }

  /// Cuts cells at the end of their group of rows; one that spans 0 rows reaches to that end.
  mutating func endRowGroup() {
    guard kind == .table else { return }
    for row in rows.indices[firstOfGroup...] {
      for cell in rows[row].indices where rows[row][cell].rows != 1 {
        let (span, rest) = (rows[row][cell].rows, rows.count - row)
        rows[row][cell].rows = span == 0 ? rest : min(span, rest)
      }
    }
    firstOfGroup = rows.count
  }

  private mutating func append(definition frame: StoryFrame) {
    switch (frame.kind, kind) {
    case (.definitions, _):
      append(all: frame.blocks)
      if !frame.definitions.isEmpty { append(.definitions(frame.definitions)) }
    case (.term, .definitions):
      definitions.append(StoryDefinition(term: frame.text.inlines, blocks: frame.text.others))
    case (.description, .definitions):
      if definitions.last?.blocks.isEmpty ?? false {
        definitions[definitions.count - 1].blocks = frame.blocks
      } else {
        definitions.append(StoryDefinition(blocks: frame.blocks))
      }
    default: append(all: frame.blocks)
    }
  }

  private mutating func append(text frame: StoryFrame) {
    let (inlines, others) = frame.text
    switch (frame.kind, kind) {
    case _ where inlines.isEmpty: break
    case (.heading(let level), _): append(.heading(level: level, inlines))
    case (.caption, .figure), (.tableCaption, .table):
      caption += (caption.isEmpty ? [] : [.lineBreak]) + inlines
    default: append(.paragraph(inlines))
    }
    append(all: others)
  }

  private var text: (inlines: [StoryInline], others: [StoryBlock]) {
    var inlines: [StoryInline] = []
    var others: [StoryBlock] = []
    for block in blocks {
      switch block {
      case .paragraph(let more), .heading(_, let more):
        inlines += (inlines.isEmpty ? [] : [.lineBreak]) + more
      default: others.append(block)
      }
    }
    return (inlines, others)
  }
}
