extension StoryDocument {
  /// The texts of its paragraphs, headings, items and cells, in their order.
  package var lines: [String] { blocks.flatMap(\.texts).map(\.text).filter { !$0.isEmpty } }

  /// Its pictures, in their order.
  package var images: [StoryImage] {
    blocks.flatMap(\.texts).joined().compactMap { inline in
      if case .image(let image) = inline { image } else { nil }
    }
  }
}

extension StoryBlock {
  fileprivate var texts: [[StoryInline]] {
    switch self {
    case .paragraph(let inlines), .heading(_, let inlines), .preformatted(let inlines): [inlines]
    case .list(let list): list.items.flatMap { $0.flatMap(\.texts) }
    case .quotation(let blocks): blocks.flatMap(\.texts)
    case .table(let table):
      [table.caption] + table.rows.flatMap { $0.flatMap { $0.blocks.flatMap(\.texts) } }
    case .definitions(let definitions):
      definitions.flatMap { [$0.term] + $0.blocks.flatMap(\.texts) }
    case .figure(let blocks, let caption): blocks.flatMap(\.texts) + [caption]
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
