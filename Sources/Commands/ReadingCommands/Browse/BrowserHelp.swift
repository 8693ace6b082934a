import CommandLine

enum BrowserHelp {
  private static let onLines =
    "A line behind : is a command of news, such as star, download, or feeds set --full. Without "
    + "numbers it means the row, or the rows picked with v. ~/.config/news/keys changes the keys."

  static func lines(_ keys: KeyMap, columns: Int) -> [String] {
    keys.topics.flatMap { topic in
      [topic.name, ""] + topic.rows.flatMap { lines($0, columns: columns) } + [""]
    } + TerminalText.wrap(onLines, to: min(columns, 78))
  }

  /// Names the keys in a column of their own, which long names and small windows do without.
  private static func lines(_ row: KeyMap.Row, columns: Int) -> [String] {
    // A sequence has blanks itself.
    let between = row.keys.contains { $0.contains(" ") } ? ", " : " "
    let name = row.keys.joined(separator: between)
    let indent = columns < 60 ? 4 : 24
    let room = columns - indent
    let words = row.meaning.isEmpty ? row.line : row.meaning
    let lines = TerminalText.width(words) <= room ? [words] : TerminalText.wrap(words, to: room)
    let blank = String(repeating: " ", count: indent)
    let isBeside = TerminalText.width(name) + 3 < indent
    let names = isBeside ? [] : TerminalText.wrap(name, to: columns - 2).map { "  " + $0 }
    let start = isBeside ? TerminalText.fit("  " + name, to: indent) : blank
    return names + [start + (lines.first ?? "")] + lines.dropFirst().map { blank + $0 }
  }
}
