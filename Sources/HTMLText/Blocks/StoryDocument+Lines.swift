extension StoryDocument {
  /// The texts of its paragraphs, headings, items and cells, in their order.
  package var lines: [String] { blocks.flatMap(\.lines).filter { !$0.isEmpty } }
}

extension StoryBlock {
  fileprivate var lines: [String] {
    switch self {
    case .paragraph(let inlines), .heading(_, let inlines), .preformatted(let inlines):
      [inlines.text]
    case .list(let list): list.items.flatMap { $0.flatMap(\.lines) }
    case .quotation(let blocks): blocks.flatMap(\.lines)
    case .table(let table):
      [table.caption.text] + table.rows.flatMap { $0.flatMap { $0.blocks.flatMap(\.lines) } }
    case .definitions(let definitions):
      definitions.flatMap { [$0.term.text] + $0.blocks.flatMap(\.lines) }
    case .figure(let blocks, let caption): blocks.flatMap(\.lines) + [caption.text]
    case .rule, .media: []
    }
  }
}

extension [StoryInline] {
  fileprivate var text: String {
    map { inline in
      switch inline {
      case .text(let run): run.text
      case .image(let image): image.text
      case .lineBreak: " "
      }
    }.joined()
  }
}
