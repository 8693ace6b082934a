internal import System

extension StoryDocument {
  /// Makes links of the web addresses that stand in the text, but for those in code.
  package func findingLinks() -> StoryDocument {
    changing(\.findingLinks)
  }

  /// Returns the text with links and addresses that have no trackers; pictures, players and code
  /// keep theirs.
  package func withoutTrackers() -> StoryDocument {
    changing { [$0.withoutTrackers] }
  }

  private func changing(_ change: (StoryInline) -> [StoryInline]) -> StoryDocument {
    var document = self
    document.blocks = blocks.map { $0.changing(change) }
    return document
  }
}

extension StoryInline {
  /// True for words that are neither linked nor code.
  fileprivate var isProse: Bool {
    if case .text(let run) = self { run.link == nil && !run.marks.contains(.code) } else { false }
  }

  fileprivate var findingLinks: [StoryInline] {
    guard isProse, case .text(let run) = self else { return [self] }
    var (runs, rest) = ([StoryRun](), run.text[...])
    while let link = TextLink(in: rest) {
      runs.append(StoryRun(String(link.before), marks: run.marks))
      runs.append(StoryRun(String(link.text), marks: run.marks, link: link.url))
      rest = link.after
    }
    runs.append(StoryRun(String(rest), marks: run.marks))
    return runs.filter { !$0.text.isEmpty }.map(StoryInline.text)
  }

  fileprivate var withoutTrackers: StoryInline {
    switch self {
    case .text(let run):
      guard run.link != nil || isProse else { return self }
      let text = TextLink.withoutTracking(in: run.text)
      let link = run.link.map(WebURL.withoutTracking)
      return .text(StoryRun(text, marks: run.marks, link: link))
    case .image(let image):
      let link = image.link.map(WebURL.withoutTracking)
      return .image(StoryImage(text: image.text, url: image.url, link: link))
    case .lineBreak: return self
    }
  }
}

extension StoryBlock {
  fileprivate func changing(_ change: (StoryInline) -> [StoryInline]) -> StoryBlock {
    switch self {
    case .paragraph(let inlines): .paragraph(inlines.flatMap(change))
    case .heading(let level, let inlines): .heading(level: level, inlines.flatMap(change))
    case .preformatted(let inlines):
      .preformatted(inlines.flatMap { $0.isProse ? [$0] : change($0) })
    case .quotation(let blocks): .quotation(blocks.map { $0.changing(change) })
    case .figure(let blocks, let caption):
      .figure(blocks.map { $0.changing(change) }, caption: caption.flatMap(change))
    case .list(let list): .list(list.changing(change))
    case .table(let table): .table(table.changing(change))
    case .definitions(let all):
      .definitions(
        all.map { definition in
          StoryDefinition(
            term: definition.term.flatMap(change),
            blocks: definition.blocks.map { $0.changing(change) },
          )
        }
      )
    case .rule, .media: self
    }
  }
}

extension StoryList {
  fileprivate func changing(_ change: (StoryInline) -> [StoryInline]) -> StoryList {
    var list = self
    list.items = items.map { $0.map { $0.changing(change) } }
    return list
  }
}

extension StoryTable {
  fileprivate func changing(_ change: (StoryInline) -> [StoryInline]) -> StoryTable {
    var table = self
    table.caption = caption.flatMap(change)
    for row in rows.indices {
      for cell in rows[row].indices {
        table.rows[row][cell].blocks = rows[row][cell].blocks.map { $0.changing(change) }
      }
    }
    return table
  }
}
