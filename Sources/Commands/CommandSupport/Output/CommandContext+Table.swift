package import CommandLine

extension CommandContext {
  /// Makes a table as wide as the window.
  package func table(_ columns: [TextTable.Column]) -> TextTable {
    TextTable(columns: columns, width: self.columns, style: style)
  }
}
