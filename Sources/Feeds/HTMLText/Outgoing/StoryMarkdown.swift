internal import System

/// A story's text as Markdown (CommonMark 0.31), which any program for notes or books takes.
///
/// Tables, terms and raised letters, for which CommonMark has no signs, are the HTML that
/// `StoryHTML` writes, as the standard has it.
package struct StoryMarkdown {
  private let level: Int
  private var headings: [Int] = []

  package static func text(_ document: StoryDocument, below level: Int) -> String {
    var writer = StoryMarkdown(level: level)
    var lines = writer.lines(document.blocks)
    if document.isCut || document.isBeginning { lines += (lines.isEmpty ? [] : [""]) + ["…"] }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns a heading of a text in which no sign means anything.
  package static func heading(_ text: String) -> String {
    heading(StoryMarkdownLine.start(StoryMarkdownLine.escaped(text)), 1)
  }

  /// Returns a heading, which number signs at its end would close.
  private static func heading(_ text: String, _ level: Int) -> String {
    let isOpen = text.hasSuffix("#") && !text.hasSuffix("\\#")
    return String(repeating: "#", count: level) + " "
      + (isOpen ? text.dropLast() + "\\#" : text[...])
  }

  private mutating func lines(_ blocks: [StoryBlock]) -> [String] {
    var lines: [String] = []
    var wasList = false
    for block in blocks {
      let own = self.lines(block)
      guard !own.isEmpty else { continue }
      // Without something between, two lists would be one.
      let isList = if case .list = block { true } else { false }
      if !lines.isEmpty { lines += isList && wasList ? ["", "<!-- -->", ""] : [""] }
      lines += own
      wasList = isList
    }
    return lines
  }

  private mutating func lines(_ block: StoryBlock) -> [String] {
    switch block {
    case .paragraph(let inlines): return Self.lines(inlines)
    case .heading(let number, let inlines): return heading(number, inlines)
    case .list(let list): return lines(list) ?? html(block)
    case .quotation(let blocks): return lines(blocks).map { $0.isEmpty ? ">" : "> \($0)" }
    case .preformatted(let inlines): return Self.fenced(inlines)
    // At the beginning of an item hyphens would make a rule of that.
    case .rule: return ["***"]
    case .figure(let blocks, let caption):
      return lines(blocks + (caption.isEmpty ? [] : [.paragraph(caption)]))
    case .table, .definitions, .media: return html(block)
    }
  }

  /// Returns the block as HTML, in which an empty line would end it.
  private func html(_ block: StoryBlock) -> [String] {
    let html = String(
      decoding: StoryHTML.markup(StoryDocument(blocks: [block]), below: level).bytes,
      as: UTF8.self,
    )
    return html.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { $0.allSatisfy { $0 == " " || $0 == "\t" } ? "&#32;" : String($0) }
  }

  private mutating func heading(_ number: Int, _ inlines: [StoryInline]) -> [String] {
    while let last = headings.last, last >= number { headings.removeLast() }
    headings.append(number)
    let text = Self.lines(inlines.map { $0 == .lineBreak ? .text(StoryRun(" ")) : $0 }).joined()
    return text.isEmpty ? [] : [Self.heading(text, min(level + headings.count, 6))]
  }

  /// Returns the items; nil for numbers that Markdown cannot say.
  private mutating func lines(_ list: StoryList) -> [String]? {
    let first = list.numbers.first ?? 1
    if list.isOrdered {
      guard list.numbering == .decimal, (0..<100_000_000).contains(first),
        list.numbers == Array(first..<first + list.items.count)
      else { return nil }
    }
    let isTight = list.items.allSatisfy { $0.count <= 1 }
    var lines: [String] = []
    for (index, item) in list.items.enumerated() {
      let marker = list.isOrdered ? "\(first + index). " : "- "
      let margin = String(repeating: " ", count: marker.count)
      if index > 0, !isTight { lines.append("") }
      let own = self.lines(item)
      lines.append(marker + (own.first ?? ""))
      lines += own.dropFirst().map { $0.isEmpty ? "" : margin + $0 }
    }
    return lines
  }

  private static func fenced(_ inlines: [StoryInline]) -> [String] {
    let text = inlines.map { $0.text(lineBreak: "\n") }.joined()
    let fence = StoryMarkdownLine.fence(around: text, least: 3)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return [fence] + (lines.last == "" ? lines.dropLast() : lines[...]) + [fence]
  }

  private static func lines(_ inlines: [StoryInline]) -> [String] {
    var line = StoryMarkdownLine()
    line.add(inlines)
    return line.lines
  }
}
