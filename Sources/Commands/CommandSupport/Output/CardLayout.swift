package import CommandLine

package struct CardLayout {
  package let style: Style
  /// The columns, at most 100 unless a width is given: longer lines are hard to read.
  package let columns: Int
  private let labelColumns: Int

  package init(_ context: CommandContext, labelColumns: Int, width: Int? = nil) {
    style = context.style
    columns = width ?? min(max(context.isOnTerminal ? context.columns : 80, 20), 100)
    self.labelColumns = labelColumns
  }

  package func title(_ text: String) -> [String] {
    TerminalText.wrap(text, to: columns).map(style.bold)
  }

  package func fact(_ label: String, _ values: [String]) -> [String] {
    let lines = values.flatMap { TerminalText.wrap($0, to: columns - labelColumns - 2) }
    return lines.enumerated().map { index, line in
      style.dim(TerminalText.fit(index == 0 ? label : "", to: labelColumns)) + "  " + line
    }
  }
}
