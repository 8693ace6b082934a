package import HTMLText
package import System

extension StoryDocument: RecordValue {
  package static var blank: StoryDocument { StoryDocument() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&blocks)
    coder.code(&isCut)
    coder.code(&isBeginning)
  }
}

extension StoryBlock: RecordValue {
  package static var blank: StoryBlock { .rule }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var parts = StoryBlockParts(self)
    coder.nest { coder in
      coder.code(&parts.kind, in: 0...9)
      coder.code(&parts.number, in: 0...6)
      coder.code(&parts.inlines)
      coder.code(&parts.blocks)
      coder.code(&parts.list)
      coder.code(&parts.table)
      coder.code(&parts.definitions)
      coder.code(&parts.media)
    }
    if let block = parts.block { self = block } else { coder.fail() }
  }
}

private struct StoryBlockParts {
  var kind = 0
  var number = 0
  var inlines: [StoryInline] = []
  var blocks: [StoryBlock] = []
  var list: StoryList?
  var table: StoryTable?
  var definitions: [StoryDefinition] = []
  var media: StoryMedia?

  init(_ block: StoryBlock) {
    switch block {
    case .paragraph(let inlines): self.inlines = inlines
    case .heading(let level, let inlines): (kind, number, self.inlines) = (1, level, inlines)
    case .list(let list): (kind, self.list) = (2, list)
    case .quotation(let blocks): (kind, self.blocks) = (3, blocks)
    case .preformatted(let inlines): (kind, self.inlines) = (4, inlines)
    case .table(let table): (kind, self.table) = (5, table)
    case .rule: kind = 6
    case .definitions(let definitions): (kind, self.definitions) = (7, definitions)
    case .figure(let blocks, let caption): (kind, self.blocks, inlines) = (8, blocks, caption)
    case .media(let media): (kind, self.media) = (9, media)
    }
  }

  var block: StoryBlock? {
    switch kind {
    case 0: .paragraph(inlines)
    case 1: (1...6).contains(number) ? .heading(level: number, inlines) : nil
    case 2: list.map(StoryBlock.list)
    case 3: .quotation(blocks)
    case 4: .preformatted(inlines)
    case 5: table.map(StoryBlock.table)
    case 6: .rule
    case 7: .definitions(definitions)
    case 8: .figure(blocks, caption: inlines)
    case 9: media.map(StoryBlock.media)
    default: nil
    }
  }
}

extension StoryInline: RecordValue {
  package static var blank: StoryInline { .lineBreak }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    var (run, image): (StoryRun?, StoryImage?) = (nil, nil)
    switch self {
    case .text(let own): run = own
    case .image(let own): image = own
    case .lineBreak: break
    }
    coder.code(&run)
    coder.code(&image)
    self = run.map(StoryInline.text) ?? image.map(StoryInline.image) ?? .lineBreak
  }
}

extension StoryRun: RecordValue {
  package static var blank: StoryRun { StoryRun("") }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&text, .text)
    var number = Int(marks.rawValue)
    coder.code(&number, in: 0...Int(UInt8.max))
    marks = StoryMarks(rawValue: UInt8(number))
    coder.code(&link, .link)
  }
}

extension StoryImage: RecordValue {
  package static var blank: StoryImage { StoryImage(text: "", url: nil) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&text, .text)
    coder.code(&url, .link)
    coder.code(&link, .link)
  }
}

extension StoryMedia: RecordValue {
  package static var blank: StoryMedia { StoryMedia(.frame) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&kind, among: [.audio, .video, .frame])
    coder.code(&title, .text)
    coder.code(&type, .line)
    coder.code(&url, .link)
  }
}

extension StoryList: RecordValue {
  package static var blank: StoryList { StoryList(isOrdered: false) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&isOrdered)
    coder.code(&items)
    coder.code(&numbers, in: Int.min...Int.max)
    coder.code(&numbering, among: StoryNumbering.allCases)
    if numbers.count != items.count { coder.fail() }
  }
}

extension StoryTable: RecordValue {
  package static var blank: StoryTable { StoryTable() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&caption)
    coder.code(&rows)
  }
}

extension StoryTable.Cell: RecordValue {
  package static var blank: StoryTable.Cell { StoryTable.Cell(blocks: []) }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&isHeader)
    // The standard's limits (HTML §4.9.11).
    coder.code(&columns, in: 0...65_534)
    coder.code(&rows, in: 0...65_534)
    coder.code(&blocks)
  }
}

extension StoryDefinition: RecordValue {
  package static var blank: StoryDefinition { StoryDefinition() }

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&term)
    coder.code(&blocks)
  }
}
