import CommandLine

/// A question at the bottom of the screen, with the text typed so far.
///
/// Escape restores the filter in `before`; `asked` is a question of a command, `confirm` one before a
/// command. An empty note removes the note.
struct BrowserQuestion: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case filter(before: String)
    case line
    case search
    case jump
    case note(ids: [String])
    case asked(String)
    case confirm([String], String)
  }

  let kind: Kind
  var line: TypedLine

  init(_ kind: Kind, _ text: String = "") {
    (self.kind, line) = (kind, TypedLine(text))
  }

  var text: String { line.text }
}

extension Browser {
  mutating func answer(_ key: Key) throws -> [BrowserAction] {
    guard let question else { return [] }
    switch (key, question.kind) {
    case (.enter, _): return try end(question)
    case (.escape, _), (.control("c"), _): return giveUp(question.kind)
    case (.backspace, .line) where question.text.isEmpty,
      (.backspace, .search) where question.text.isEmpty:
      return giveUp(question.kind)
    case (.tab, .line): return [.complete(question.text)]
    case (.up, .line): self.question?.line = TypedLine(lastLine)
    default: return type(key, question)
    }
    return []
  }

  private mutating func type(_ key: Key, _ question: BrowserQuestion) -> [BrowserAction] {
    var line = question.line
    guard line.take(key) else { return question.kind == .jump ? giveUp(.jump) : [] }
    self.question?.line = line
    guard line.text != question.text else { return [] }
    switch question.kind {
    case .filter: return narrow(by: line.text)
    case .jump: return jump(to: line.text)
    default: return []
    }
  }

  private mutating func narrow(by text: String) -> [BrowserAction] {
    filter = text
    focus = .stories
    return [.list]
  }

  private mutating func end(_ question: BrowserQuestion) throws -> [BrowserAction] {
    self.question = nil
    let text = question.text
    switch question.kind {
    case .filter(let before): return [.settle(before: before)]
    case .line:
      if !text.isEmpty { lastLine = text }
      return try run(text)
    case .search:
      let rows = layout.paneRows
      let isFound = self.text?.seek(text, rows: rows) == true
      return isFound || text.isEmpty ? [] : say("not found")
    case .jump:
      // `/` and Enter alone go on with the words of before.
      return text.isEmpty && isSearching ? find(by: 1) : []
    case .note(let ids):
      readInPassing = []
      return [.command(NoteCommand.words(text, of: ids))]
    case .asked: return answer(with: text)
    case .confirm(let words, _) where ["y", "yes"].contains(text.lowercased()):
      return [.command(words)]
    case .confirm: return say("nothing was done")
    }
  }

  private mutating func giveUp(_ kind: BrowserQuestion.Kind) -> [BrowserAction] {
    question = nil
    switch kind {
    case .filter(let before): return narrow(by: before)
    case .asked: return answer(with: nil)
    case .confirm: return say("nothing was done")
    case .line, .search, .jump, .note: return []
    }
  }

  private mutating func answer(with text: String?) -> [BrowserAction] {
    if isChoiceShown { _ = leave() }
    isChoiceShown = false
    return [.answer(text)]
  }

  /// Asks a command's question: its last line at the bottom, the lines before it as a text.
  mutating func ask(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    question = BrowserQuestion(.asked(lines.last ?? ""))
    isChoiceShown = lines.count > 1
    if isChoiceShown { show(Array(lines.dropLast())) }
  }

  mutating func askForWords() -> [BrowserAction] {
    question =
      switch focus {
      case .text: BrowserQuestion(.search)
      case .stories: BrowserQuestion(.filter(before: filter), filter)
      case .feeds: BrowserQuestion(.jump)
      }
    return []
  }

  mutating func askForLine(_ text: String) -> [BrowserAction] {
    question = BrowserQuestion(.line, text)
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
