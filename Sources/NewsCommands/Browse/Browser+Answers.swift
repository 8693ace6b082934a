import CommandLine
import FeedStorage

/// What is asked at the bottom of the screen.
enum BrowserQuestion: Hashable, Sendable {
  case filter(before: String)
  case clear(source: String, words: [String])
}

extension Browser {
  mutating func answer(_ key: Key) -> [BrowserAction] {
    switch question {
    case .filter(let before): return type(key, before: before)
    case .clear(_, let words):
      question = nil
      guard key == .character("y") || key == .character("Y") else {
        return say("nothing was deleted")
      }
      return [.command(["clear", "--yes"] + words)]
    case nil: return []
    }
  }

  /// Filters as one types; Enter keeps what was typed, Escape what was before.
  private mutating func type(_ key: Key, before: String) -> [BrowserAction] {
    switch key {
    case .enter:
      question = nil
      return []
    case .escape, .control("c"):
      question = nil
      filter = before
    case .backspace: filter = String(filter.dropLast())
    case .control("u"): filter = ""
    case .character(let sign): filter.append(sign)
    case .pasted(let text): filter += text
    default: return []
    }
    focus = .stories
    return [.list]
  }

  mutating func askToClear() -> [BrowserAction] {
    guard source.canBeCleared else {
      return say("only all stories, a tag's or a feed's can be deleted: f chooses one")
    }
    question = .clear(source: source.name, words: source.words)
    return []
  }
}

// MARK: Mouse

extension Browser {
  /// A click chooses; on what is chosen it enters.
  mutating func click(_ row: Int, _ column: Int) throws(StorageError) -> [BrowserAction] {
    guard let place = layout.place(atColumn: column), row >= 0, row < layout.paneRows else {
      return []
    }
    let isFocused = focus == place.pane
    switch place.pane {
    case .feeds:
      let index = sourceCursor.top + row
      guard sources.indices.contains(index) else { return [] }
      focus = .feeds
      if isFocused, index == sourceCursor.selected { return try enter() }
      return chooseSource(index)
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

  mutating func scroll(_ column: Int, by step: Int) throws(StorageError) -> [BrowserAction] {
    guard let place = layout.place(atColumn: column) else { return [] }
    let before = focus
    focus = place.pane
    defer { if place.pane != before { focus = before } }
    return try move(by: step)
  }
}
