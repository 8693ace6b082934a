import CommandLine
import FeedModel
import Searching

/// A text as it is read: a story's, its links as a menu, or what a command has printed.
struct TextPane {
  /// nil for what is no story's.
  let shown: ShownStory?
  let lines: [String]
  /// The same before they were folded.
  let wholeLines: [String]
  /// Columns that the lines are laid out for.
  let columns: Int
  /// Whether they tell all that is known of the story.
  let hasDetails: Bool
  /// Whether they are the numbered links of the story, in place of its text.
  let isMenu: Bool
  /// How many pictures had come when it was laid out.
  let pictures: Int
  /// The line at the top.
  private(set) var top = 0
  /// What is searched, folded, and the line where it was found last.
  private var sought: [UInt32] = []
  private var found = 0

  init(
    _ shown: ShownStory?,
    _ lines: [String],
    columns: Int,
    hasDetails: Bool,
    isMenu: Bool = false,
    pictures: Int = 0,
  ) {
    (self.shown, wholeLines, self.pictures) = (shown, lines, pictures)
    (self.columns, self.hasDetails, self.isMenu) = (columns, hasDetails, isMenu)
    self.lines = lines.flatMap { TerminalText.folded($0, to: columns) }
  }

  func isOf(_ story: StoredItem) -> Bool { shown?.named.story.id == story.id }

  /// Whether it stands before the text of a story until one leaves it.
  var isPassing: Bool { shown == nil || isMenu }

  mutating func scroll(by step: Int, rows: Int) {
    top = max(min(top + step, lines.count - rows), 0)
  }

  /// How much of it was seen down to the last line shown; nil for what fits the screen.
  func position(rows: Int) -> String? {
    lines.count > rows ? "\(min(top + rows, lines.count) * 100 / lines.count) %" : nil
  }

  func isAtEnd(rows: Int) -> Bool { top + rows >= lines.count }

  /// The same story laid out anew: with the line at the top that stood there, or as far down as
  /// before.
  mutating func replace(_ new: TextPane, rows: Int) {
    let part = lines.isEmpty ? 0 : Double(top) / Double(lines.count)
    let place = top == 0 ? 0 : new.index(ofLineAt: top, of: self)
    let sought = sought
    self = new
    self.sought = sought
    scroll(by: place ?? Int(part * Double(lines.count)), rows: rows)
  }

  /// Where a line of the text stands here: the third of those that are equal is the third one still.
  private func index(ofLineAt index: Int, of old: TextPane) -> Int? {
    guard old.lines.indices.contains(index) else { return nil }
    let line = old.lines[index]
    let number = old.lines[..<index].count { $0 == line }
    return lines.indices.filter { lines[$0] == line }.dropFirst(number).first
  }

  // MARK: Searching

  var isSearched: Bool { !sought.isEmpty }

  func hasFound(_ line: String) -> Bool {
    isSearched && TextFolding.contains(TerminalText.unstyled(line), sought)
  }

  /// Goes to the first line with these words from the top one on; false where there is none.
  mutating func seek(_ words: String, rows: Int) -> Bool {
    sought = TextFolding.fold(words)
    found = top - 1
    return find(by: 1, rows: rows)
  }

  mutating func endSearch() { sought = [] }

  /// Goes to the next line with what is searched, or to the one before; round about, at the ends.
  mutating func find(by step: Int, rows: Int) -> Bool {
    let all = lines.indices.filter { hasFound(lines[$0]) }
    let next =
      step > 0 ? all.first { $0 > found } ?? all.first : all.last { $0 < found } ?? all.last
    guard let next else { return false }
    found = next
    if !(top..<top + rows).contains(next) { scroll(by: next - top, rows: rows) }
    return true
  }
}
