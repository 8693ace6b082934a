/// An element that contains others, while it is open: what it has so far.
struct StoryFrame {
  enum Kind: Hashable {
    case document
    case quotation
    case list(isOrdered: Bool, start: Int)
    case item
    case table
    case row
    case cell(isHeader: Bool, columns: Int, rows: Int)
    case definitions
    case description
    case figure
    case media
    /// Those whose content is to be one run of text.
    case heading(Int)
    case tableCaption
    case term
    case caption
    case summary
  }

  let kind: Kind
  var blocks: [StoryBlock] = []
  var items: [[StoryBlock]] = []
  var rows: [[StoryTable.Cell]] = []
  var cells: [StoryTable.Cell] = []
  var definitions: [StoryDefinition] = []
  var caption: [StoryInline] = []
  var media: StoryMedia?

  init(_ kind: Kind) {
    self.kind = kind
  }

  mutating func append(_ block: StoryBlock) {
    if case .list = kind {
      // What stands in a list outside its items, such as a list, belongs to the item before.
      if items.isEmpty { items.append([]) }
      items[items.count - 1].append(block)
    } else {
      blocks.append(block)
    }
  }

  private mutating func append(all blocks: [StoryBlock]) {
    for block in blocks { append(block) }
  }

  /// Takes what a frame within this one came to.
  mutating func append(_ frame: StoryFrame) {
    switch frame.kind {
    case .document: append(all: frame.blocks)
    case .quotation: if !frame.blocks.isEmpty { append(.quotation(frame.blocks)) }
    case .list(let isOrdered, let start):
      let list = StoryList(isOrdered: isOrdered, start: start, items: frame.items)
      if !list.items.allSatisfy(\.isEmpty) { append(.list(list)) }
    case .item: append(item: frame.blocks)
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

  private mutating func append(item: [StoryBlock]) {
    if case .list = kind { return items.append(item) }
    guard !item.isEmpty else { return }
    if case .list(var list)? = blocks.last, !list.isOrdered {
      blocks.removeLast()
      list.items.append(item)
      blocks.append(.list(list))
    } else {
      append(.list(StoryList(isOrdered: false, items: [item])))
    }
  }

  private mutating func append(tabular frame: StoryFrame) {
    switch (frame.kind, kind) {
    case (.row, .table): if !frame.cells.isEmpty { rows.append(frame.cells) }
    case (.cell(let isHeader, let columns, let rows), .row):
      cells.append(.init(isHeader: isHeader, columns: columns, rows: rows, blocks: frame.blocks))
    case (.cell, .table): rows.append([.init(blocks: frame.blocks)])
    case (.table, _):
      append(all: frame.blocks)
      guard frame.rows.contains(where: { $0.contains { !$0.blocks.isEmpty } }) else { return }
      append(.table(StoryTable(caption: frame.caption, rows: frame.rows)))
    default:
      append(all: frame.blocks)
      for cell in frame.cells { append(all: cell.blocks) }
    }
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

  /// The blocks as one text, and those that are none.
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
