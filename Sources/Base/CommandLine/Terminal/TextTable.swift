package struct TextTable {
  package struct Column {
    let title: String
    var isRight = false
    /// Cut in a narrow terminal, the first of several columns first.
    var shrinks = false
    /// The order of leaving columns out where cutting does not suffice, the greatest first; 0
    /// stays.
    var rank = 0

    package init(_ title: String, isRight: Bool = false, shrinks: Bool = false, rank: Int = 0) {
      self.title = title
      self.isRight = isRight
      self.shrinks = shrinks
      self.rank = rank
    }
  }

  let columns: [Column]
  let width: Int
  let style: Style

  package init(columns: [Column], width: Int, style: Style) {
    self.columns = columns
    self.width = width
    self.style = style
  }

  private static let gap = 2

  package func lines(_ rows: [[String]]) -> [String] {
    let widths = fitted(rows)
    let head = style.dim(line(columns.map(\.title), widths))
    return [head] + rows.map { line($0, widths) }
  }

  package func width(of column: Int, in rows: [[String]]) -> Int {
    fitted(rows)[column] ?? 0
  }

  private func fitted(_ rows: [[String]]) -> [Int?] {
    var widths: [Int?] = columns.indices.map { index in
      let cells = rows.compactMap { $0.indices.contains(index) ? $0[index] : nil }
      return (cells + [columns[index].title]).map { TerminalText.width($0, .apart) }.max() ?? 0
    }
    for index in columns.indices where columns[index].shrinks {
      guard let whole = widths[index], excess(widths) > 0 else { continue }
      let least = max(TerminalText.width(columns[index].title), 10)
      widths[index] = whole - min(excess(widths), max(0, whole - least))
    }
    let ranked = columns.indices.filter { columns[$0].rank > 0 }
      .sorted { columns[$0].rank > columns[$1].rank }
    for index in ranked where excess(widths) > 0 { widths[index] = nil }
    // Nothing is written past the edge: the widest column is cut further.
    while excess(widths) > 0, let most = widths.compactMap(\.self).max(), most > 1,
      let widest = widths.firstIndex(of: most)
    {
      widths[widest] = most - 1
    }
    return widths
  }

  private func excess(_ widths: [Int?]) -> Int {
    let shown = widths.compactMap(\.self)
    return shown.reduce(0, +) + (shown.count - 1) * Self.gap - width
  }

  private func line(_ cells: [String], _ widths: [Int?]) -> String {
    var (line, start) = ("", 0)
    var fill = ""
    for (index, cell) in cells.enumerated() where widths.indices.contains(index) {
      guard let width = widths[index] else { continue }
      var text = TerminalText.cut(cell, to: width, .apart)
      if columns[index].isRight { text = TerminalText.right(text, in: width) }
      line += fill + text
      fill = style.fill(after: text, from: start, to: start + width + Self.gap)
      start += width + Self.gap
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
