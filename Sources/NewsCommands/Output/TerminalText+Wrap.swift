extension TerminalText {
  /// The lines of `text`, broken at spaces so that each fits in `columns`.
  ///
  /// A word that is longer than a line is broken between characters, a link is not: a link that is
  /// broken cannot be clicked.
  static func wrap(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let candidate = line.isEmpty ? String(word) : line + " " + word
      if width(candidate) <= columns {
        line = candidate
        continue
      }
      if !line.isEmpty { lines.append(line) }
      let pieces = isLink(word) ? [String(word)] : broken(word, to: columns)
      lines.append(contentsOf: pieces.dropLast())
      line = pieces.last ?? ""
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  private static func isLink(_ word: Substring) -> Bool {
    word.contains("http://") || word.contains("https://")
  }

  /// A word in pieces of at most `columns`.
  private static func broken(_ word: Substring, to columns: Int) -> [String] {
    var pieces = [""]
    var used = 0
    for character in word {
      let next = width(character)
      if used > 0, used + next > max(columns, 1) {
        pieces.append("")
        used = 0
      }
      pieces[pieces.count - 1].append(character)
      used += next
    }
    return pieces
  }
}
