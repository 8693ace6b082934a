internal import System

extension StoryDocument {
  /// Returns the text with links that have no trackers; pictures and players keep their URLs.
  package func withoutTrackers() -> StoryDocument {
    var document = self
    document.blocks = blocks.map(\.withoutTrackers)
    return document
  }
}

extension StoryBlock {
  fileprivate var withoutTrackers: StoryBlock {
    switch self {
    case .paragraph(let inlines): .paragraph(inlines.map(\.withoutTrackers))
    case .heading(let level, let inlines): .heading(level: level, inlines.map(\.withoutTrackers))
    case .preformatted(let inlines): .preformatted(inlines.map(\.withoutTrackers))
    case .quotation(let blocks): .quotation(blocks.map(\.withoutTrackers))
    case .figure(let blocks, let caption):
      .figure(blocks.map(\.withoutTrackers), caption: caption.map(\.withoutTrackers))
    case .list(let list): .list(list.withoutTrackers)
    case .table(let table): .table(table.withoutTrackers)
    case .definitions(let definitions): .definitions(definitions.map(\.withoutTrackers))
    case .rule, .media: self
    }
  }
}

extension StoryInline {
  fileprivate var withoutTrackers: StoryInline {
    switch self {
    case .text(let run):
      guard let link = run.link else { return self }
      let clean = WebURL.withoutTracking(link)
      // An address that stands in the text is as long as the link behind it.
      return .text(StoryRun(run.text == link ? clean : run.text, marks: run.marks, link: clean))
    case .image(let image):
      let link = image.link.map(WebURL.withoutTracking)
      return .image(StoryImage(text: image.text, url: image.url, link: link))
    case .lineBreak: return self
    }
  }
}

extension StoryList {
  fileprivate var withoutTrackers: StoryList {
    var list = self
    list.items = items.map { $0.map(\.withoutTrackers) }
    return list
  }
}

extension StoryTable {
  fileprivate var withoutTrackers: StoryTable {
    var table = self
    table.caption = caption.map(\.withoutTrackers)
    for row in rows.indices {
      for cell in rows[row].indices {
        table.rows[row][cell].blocks = rows[row][cell].blocks.map(\.withoutTrackers)
      }
    }
    return table
  }
}

extension StoryDefinition {
  fileprivate var withoutTrackers: StoryDefinition {
    StoryDefinition(term: term.map(\.withoutTrackers), blocks: blocks.map(\.withoutTrackers))
  }
}
