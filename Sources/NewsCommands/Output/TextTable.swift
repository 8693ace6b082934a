/// A table with aligned columns, one of which gives way when the terminal is narrow.
struct TextTable {
  /// How a column is laid out.
  struct Column {
    let title: String
    var isRight = false
    /// Cut when the table is wider than the terminal, the first of these first.
    var gives = false

    init(_ title: String, isRight: Bool = false, gives: Bool = false) {
      self.title = title
      self.isRight = isRight
      self.gives = gives
    }
  }

  let columns: [Column]
  let width: Int
  let style: Style

  private static let gap = 2

  /// The lines of the table, its head first.
  func lines(_ rows: [[String]]) -> [String] {
    let widths = fitted(rows)
    let head = style.dim(line(columns.map(\.title), widths))
    return [head] + rows.map { line($0, widths) }
  }

  private func fitted(_ rows: [[String]]) -> [Int] {
    var widths = columns.indices.map { index in
      let cells = rows.compactMap { $0.indices.contains(index) ? $0[index] : nil }
      return (cells + [columns[index].title]).map(TerminalText.width).max() ?? 0
    }
    var excess = widths.reduce(0, +) + (widths.count - 1) * Self.gap - width
    for index in columns.indices where columns[index].gives && excess > 0 {
      let least = max(TerminalText.width(columns[index].title), 10)
      let cut = min(excess, max(0, widths[index] - least))
      widths[index] -= cut
      excess -= cut
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var parts: [String] = []
    for (index, cell) in cells.enumerated() where widths.indices.contains(index) {
      let text = TerminalText.cut(cell, to: widths[index])
      parts.append(
        columns[index].isRight
          ? TerminalText.right(text, in: widths[index])
          : TerminalText.fit(text, to: widths[index])
      )
    }
    var text = parts.joined(separator: TerminalText.spaces(Self.gap))
    while text.last == " " { text.removeLast() }
    return text
  }
}
