import CommandLine

// MARK: The message or the question at the bottom

extension Browser {
  /// The lines of the message, or of the question of a command; none without either.
  var bottomLines: [String] {
    if let typed { return lines(beside: typed.before + typed.after) }
    switch question?.kind {
    case .asked(let text), .confirm(_, let text):
      // The brackets at its end say what can be answered.
      let choice = text.lastIndex(of: "[") ?? text.endIndex
      let end = "\(text[choice...])\(answer.before)_\(answer.after)"
      let whole = lines(of: text[..<choice] + end)
      return whole.count <= most ? whole : lines(of: String(text[..<choice]), until: end, most)
    case nil where sequence.isEmpty && number.isEmpty && !message.isEmpty:
      let whole = message.split(separator: "\n").prefix(most * columns).flatMap {
        lines(of: String($0))
      }
      let key = keys.name(of: "message")
      return whole.count <= most
        ? whole : lines(of: whole.joined(separator: " "), until: "(\(key))", most)
    default: return []
    }
  }

  /// The line that is being typed, up to the mark at the cursor and behind it; of a long one the
  /// part around the cursor.
  private var typed: (before: String, after: String)? {
    guard let question else { return nil }
    let sign: String
    switch question.kind {
    case .filter, .search, .jump: sign = "/"
    case .line: sign = ":"
    case .note: sign = "note: "
    case .asked, .confirm: return nil
    }
    let shown = question.line.shown(in: max(columns - sign.count - 2, 1))
    return ("\(sign)\(shown.before)_", shown.after)
  }

  private var answer: (before: String, after: String) {
    question?.line.shown(in: max(columns - 20, 10)) ?? ("", "")
  }

  /// The columns up to the mark at the cursor of what is typed; nil where nothing is.
  var typedColumns: Int? {
    if let typed { return TerminalText.width(typed.before, .apart) }
    guard question != nil else { return nil }
    let after = TerminalText.width(answer.after, .apart)
    return bottomLines.last.map { TerminalText.width($0, .apart) - after }
  }

  /// Puts a message behind what is typed, or above it, where a row of the list is left.
  private func lines(beside typed: String) -> [String] {
    let text = message.split(separator: "\n").joined(separator: "; ")
    let line = "\(typed)  \(text)"
    if text.isEmpty || TerminalText.width(line, .apart) < columns { return [line] }
    let (whole, room) = (lines(of: text), max(rows - 3, 1))
    let end = "(Esc \(keys.name(of: "message")))"
    return (whole.count <= room ? whole : lines(of: text, until: end, room)) + [typed]
  }

  /// The most lines of a message: a low window keeps its rows.
  private var most: Int { rows < 6 ? 1 : 2 }

  private func lines(of text: String) -> [String] {
    guard TerminalText.width(text, .apart) >= columns else { return [text] }
    return TerminalText.wrap(text, to: columns - 1)
      .flatMap { TerminalText.folded($0, to: columns - 1) }
  }

  /// Cuts a text that has more lines than `most` before its end.
  private func lines(of text: String, until end: String, _ most: Int) -> [String] {
    let all = lines(of: text)
    let rest = all.dropFirst(most - 1).joined(separator: " ")
    let room = columns - TerminalText.width(end) - 2
    return all.prefix(most - 1) + [TerminalText.cut(rest, to: room, .apart) + " " + end]
  }

  mutating func showMessage() -> [BrowserAction] {
    guard !lastMessage.isEmpty else { return say("no message yet") }
    let text = lastMessage.split(separator: "\n").map(String.init)
    show(
      TextPane(columns: layout.storyColumns, hasDetails: hasDetails) { columns in
        text.flatMap { TerminalText.wrap($0, to: columns) }
      }
    )
    return []
  }
}
