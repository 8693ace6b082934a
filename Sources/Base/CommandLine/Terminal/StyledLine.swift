package struct StyledSpan: Hashable, Sendable {
  package var text: String
  package var style: TextStyle = []
  package var link: String?

  package init(text: String, style: TextStyle = [], link: String? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }
}

package struct StyledLine: Hashable, Sendable {
  package private(set) var spans: [StyledSpan] = []

  package init(_ spans: [StyledSpan] = []) {
    for span in spans { append(span) }
  }

  package func width(_ joining: TerminalText.Joining) -> Int {
    spans.reduce(0) { $0 + TerminalText.width($1.text, joining) }
  }

  package mutating func append(_ span: StyledSpan) {
    if let last = spans.last, last.style == span.style, last.link == span.link {
      spans[spans.count - 1].text += span.text
    } else {
      spans.append(span)
    }
  }

  /// Returns the line with its styles, without spaces at its end.
  package func text(_ style: Style) -> String {
    var spans = spans
    while let last = spans.last {
      let text = last.text.utf8.reversed().drop { $0 == 0x20 }
      if !text.isEmpty {
        spans[spans.count - 1].text = String(decoding: text.reversed(), as: UTF8.self)
        break
      }
      spans.removeLast()
    }
    return spans.reduce(into: "") { line, span in
      let text = style.styled(span.text, span.style)
      line += span.link.map { style.link(text, to: $0) } ?? text
    }
  }
}

package struct StyledWord: Hashable, Sendable {
  package var spans: [StyledSpan] = []
  /// Columns in the terminal that takes the most for it.
  package var width = 0
  /// A space precedes it, except at the beginning of a line.
  package var hasSpace = false

  package init() {}

  init(_ text: String) {
    spans = [StyledSpan(text: text)]
    width = TerminalText.width(text, .apart)
    hasSpace = true
  }

  private var isLink: Bool {
    spans.contains { $0.text.contains("http://") || $0.text.contains("https://") }
  }

  /// Returns lines of at most `columns`, with longer words broken.
  ///
  /// Links are never broken: nobody could click them.
  package static func wrap(_ words: [StyledWord], to columns: Int) -> [StyledLine] {
    var lines: [StyledLine] = []
    var line = StyledLine()
    var used = 0
    for word in words {
      let space = word.hasSpace && used > 0 ? 1 : 0
      if used > 0, used + space + word.width > columns {
        lines.append(line)
        (line, used) = (StyledLine(), 0)
      } else if space > 0 {
        line.append(Self.space(between: line, word))
        used += 1
      }
      guard word.width > columns, !word.isLink else {
        for span in word.spans { line.append(span) }
        used += word.width
        continue
      }
      let pieces = word.broken(to: columns)
      lines += pieces.dropLast()
      line = pieces.last ?? StyledLine()
      used = line.width(.apart)
    }
    if used > 0 { lines.append(line) }
    return lines
  }

  /// The space has the style and the link that both sides share.
  private static func space(between line: StyledLine, _ word: StyledWord) -> StyledSpan {
    guard let last = line.spans.last, let first = word.spans.first else {
      return StyledSpan(text: " ")
    }
    return StyledSpan(
      text: " ",
      style: last.style.intersection(first.style),
      link: last.link == first.link ? last.link : nil,
    )
  }

  private func broken(to columns: Int) -> [StyledLine] {
    var lines = [StyledLine()]
    var used = 0
    for span in spans {
      for character in span.text {
        let width = TerminalText.width(character, .apart)
        if used > 0, used + width > columns {
          lines.append(StyledLine())
          used = 0
        }
        lines[lines.count - 1].append(
          StyledSpan(text: "\(character)", style: span.style, link: span.link)
        )
        used += width
      }
    }
    return lines
  }
}
