import CommandLine

/// A question at the bottom of the screen, with the text typed so far.
///
/// Escape restores the filter in `before`; `asked` is a question of a command, `confirm` one before a
/// command.
enum BrowserQuestion: Hashable, Sendable {
  case filter(before: String)
  case line(String)
  case search(String)
  case jump(String)
  case note(ids: [String], text: String)
  case asked(String, answer: String)
  case confirm([String], String, answer: String)
}

extension Browser {
  mutating func answer(_ key: Key) throws -> [BrowserAction] {
    switch question {
    case .filter(let before): return type(key, before: before)
    case .line(let text): return try typeLine(key, text)
    case .search(let text): return typeSearch(key, text)
    case .jump(let text): return typeName(key, text)
    case .note(let ids, let text): return typeNote(key, ids, text)
    case .asked(let text, let answer): return typeAnswer(key, to: text, answer)
    case .confirm(let words, let text, let answer): return confirm(key, words, text, answer)
    case nil: return []
    }
  }

  /// Returns the text as a key edits it, and moves the cursor; nil for a key that does neither.
  private mutating func typed(_ key: Key, _ text: String) -> String? {
    var line = TypedLine(text, behind: behindCursor)
    guard line.take(key) else { return nil }
    behindCursor = line.behind
    return line.text
  }

  private mutating func type(_ key: Key, before: String) -> [BrowserAction] {
    switch key {
    case .enter:
      question = nil
      return [.settle(before: before)]
    case .escape, .control("c"):
      question = nil
      filter = before
    default:
      guard let text = typed(key, filter), text != filter else { return [] }
      filter = text
    }
    focus = .stories
    return [.list]
  }

  private mutating func typeLine(_ key: Key, _ text: String) throws -> [BrowserAction] {
    switch key {
    case .enter:
      question = nil
      if !text.isEmpty { lastLine = text }
      return try run(text)
    case .escape, .control("c"): question = nil
    case .backspace where text.isEmpty: question = nil
    case .tab: return [.complete(text)]
    case .up:
      question = .line(lastLine)
      behindCursor = 0
    default: question = .line(typed(key, text) ?? text)
    }
    return []
  }

  private mutating func typeAnswer(
    _ key: Key,
    to text: String,
    _ answer: String,
  ) -> [BrowserAction] {
    switch key {
    case .enter: return end(.answer(answer))
    case .escape, .control("c"): return end(.answer(nil))
    default: question = .asked(text, answer: typed(key, answer) ?? answer)
    }
    return []
  }

  private mutating func confirm(
    _ key: Key,
    _ words: [String],
    _ text: String,
    _ answer: String,
  ) -> [BrowserAction] {
    switch key {
    case .enter where ["y", "yes"].contains(answer.lowercased()):
      question = nil
      return [.command(words)]
    case .enter, .escape, .control("c"):
      question = nil
      return say("nothing was done")
    default: question = .confirm(words, text, answer: typed(key, answer) ?? answer)
    }
    return []
  }

  private mutating func end(_ answer: BrowserAction) -> [BrowserAction] {
    question = nil
    if isChoiceShown { _ = leave() }
    isChoiceShown = false
    return [answer]
  }

  /// Asks a command's question: its last line at the bottom, the lines before it as a text.
  mutating func ask(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    question = .asked(lines.last ?? "", answer: "")
    isChoiceShown = lines.count > 1
    if isChoiceShown { show(Array(lines.dropLast())) }
  }

  /// Edits a note: Enter writes it, and an empty one removes the note; Escape changes nothing.
  private mutating func typeNote(_ key: Key, _ ids: [String], _ text: String) -> [BrowserAction] {
    switch key {
    case .enter:
      (question, readInPassing) = (nil, [])
      return [.command(NoteCommand.words(text, of: ids))]
    case .escape, .control("c"): question = nil
    default: question = .note(ids: ids, text: typed(key, text) ?? text)
    }
    return []
  }

  private mutating func typeSearch(_ key: Key, _ text: String) -> [BrowserAction] {
    switch key {
    case .enter:
      question = nil
      let rows = layout.paneRows
      let isFound = self.text?.seek(text, rows: rows) == true
      return isFound || text.isEmpty ? [] : say("not found")
    case .escape, .control("c"): question = nil
    case .backspace where text.isEmpty: question = nil
    default: question = .search(typed(key, text) ?? text)
    }
    return []
  }

  private mutating func typeName(_ key: Key, _ text: String) -> [BrowserAction] {
    if let name = typed(key, text) {
      question = .jump(name)
      return jump(to: name)
    }
    question = nil
    // `/` and Enter alone go on with the words of before.
    return key == .enter && text.isEmpty && isSearching ? find(by: 1) : []
  }

  mutating func askForWords() -> [BrowserAction] {
    question =
      switch focus {
      case .text: .search("")
      case .stories: .filter(before: filter)
      case .feeds: .jump("")
      }
    return []
  }

  mutating func askForLine(_ text: String) -> [BrowserAction] {
    question = .line(text)
    return []
  }

  mutating func askToClear() throws -> [BrowserAction] {
    try check(.feed)
    guard source.canBeCleared else {
      return say("only all stories, a tag's or a feed's can be cleared: select one with f")
    }
    guard filter.isEmpty, stories.picked.isEmpty else {
      let part = filter.isEmpty ? "the rows picked: x deletes" : "what is found: % x deletes"
      return say("this clears all of \(source.name), not \(part) those")
    }
    readInPassing = []
    return [.command(["clear"] + source.words)]
  }
}

// MARK: Mouse

extension Browser {
  mutating func click(_ row: Int, _ column: Int) throws -> [BrowserAction] {
    guard let slot = layout.slot(atColumn: column), row >= 0, row < layout.paneRows else {
      return []
    }
    let isFocused = focus == slot.pane
    switch slot.pane {
    case .feeds:
      let index = feeds.cursor.top + row
      guard feeds.shown.indices.contains(index) else { return [] }
      focus = .feeds
      if isFocused, index == feeds.cursor.selected { return try enter() }
      return chooseSource(row: index)
    case .stories:
      let index = stories.cursor.top + row
      guard index < stories.count else { return [] }
      focus = .stories
      if isFocused, index == stories.cursor.selected { return try enter() }
      stories.select(index, rows: layout.paneRows)
    case .text: return isFocused ? [] : try enterText()
    }
    return []
  }

  mutating func scroll(_ column: Int, by step: Int) throws -> [BrowserAction] {
    guard let slot = layout.slot(atColumn: column) else { return [] }
    let before = focus
    focus = slot.pane
    defer { if slot.pane != before { focus = before } }
    return try move(by: step)
  }
}
