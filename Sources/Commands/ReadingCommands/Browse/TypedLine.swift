import CommandLine

/// A line that is being typed, with the cursor before its last `behind` characters.
struct TypedLine: Hashable, Sendable {
  private(set) var text: String
  private(set) var behind: Int

  init(_ text: String, behind: Int = 0) {
    (self.text, self.behind) = (text, min(behind, text.count))
  }

  private var before: Substring { text.dropLast(behind) }
  private var after: Substring { text.suffix(behind) }

  /// Edits the line, or moves the cursor; returns false for a key that does neither.
  mutating func take(_ key: Key) -> Bool {
    switch key {
    case .character(let sign): set("\(before)\(sign)", after)
    case .pasted(let more): set("\(before)\(more)", after)
    case .backspace: set(before.dropLast(), after)
    case .delete: set(before, after.dropFirst())
    case .control("u"): set("", after)
    case .control("k"): set(before, "")
    case .control("w"): set(beforeWord, after)
    case .left: behind = min(behind + 1, text.count)
    case .right: behind = max(behind - 1, 0)
    case .home, .control("a"): behind = text.count
    case .end, .control("e"): behind = 0
    default: return false
    }
    return true
  }

  private mutating func set(_ before: some StringProtocol, _ after: some StringProtocol) {
    (text, behind) = ("\(before)\(after)", after.count)
  }

  /// The text up to the word at the cursor, or to the one before it.
  private var beforeWord: Substring {
    let end = before.lastIndex { $0 != " " } ?? before.startIndex
    let blank = before[..<end].lastIndex(of: " ")
    return before[..<(blank.map { before.index(after: $0) } ?? before.startIndex)]
  }

  // MARK: Its part in a window

  /// Returns what stands on both sides of the cursor, as far as `columns` hold it.
  func shown(in columns: Int) -> (before: String, after: String) {
    let wanted = TerminalText.width(String(after), .apart)
    let start = end(of: before, columns - min(wanted, columns / 2))
    let room = columns - TerminalText.width(start, .apart)
    return (start, TerminalText.prefix(String(after), room, .apart))
  }

  private func end(of text: Substring, _ columns: Int) -> String {
    var (start, room) = (text.endIndex, columns)
    while start > text.startIndex {
      let index = text.index(before: start)
      room -= TerminalText.width(String(text[index]), .apart)
      guard room >= 0 else { break }
      start = index
    }
    return String(text[start...])
  }
}
