import CommandLine

// MARK: The message or the question at the bottom

extension Browser {
  /// The lines of the message, or of the question of a command; none without either.
  var bottomLines: [String] {
    if let typed { return lines(beside: typed) }
    switch question {
    case .asked(let text, let answer), .confirm(_, let text, let answer):
      // The brackets at its end say what can be answered.
      let choice = text.lastIndex(of: "[") ?? text.endIndex
      let end = "\(text[choice...])\(answer.suffix(max(columns - 20, 10)))_"
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

  /// The line that is being typed, of which a narrow window shows the end.
  private var typed: String? {
    let (sign, text): (String, String)
    switch question {
    case .filter: (sign, text) = ("/", filter)
    case .search(let words), .jump(let words): (sign, text) = ("/", words)
    case .line(let line): (sign, text) = (":", line)
    case .note(_, let note): (sign, text) = ("note: ", note)
    case .asked, .confirm, nil: return nil
    }
    return "\(sign)\(text.suffix(max(columns - sign.count - 2, 10)))_"
  }

  /// The columns up to the end of what is typed; nil where nothing is.
  var typedColumns: Int? {
    if let typed { return TerminalText.width(typed, .apart) }
    switch question {
    case .asked, .confirm: return bottomLines.last.map { TerminalText.width($0, .apart) }
    default: return nil
    }
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
