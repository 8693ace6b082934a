import CommandLine
import CommandSupport
import FeedModel
import Searching

/// A text in its pane: a story's, its links as a menu, or the output of a command.
struct TextPane {
  let shown: ShownStory?
  let lines: [String]
  /// The lines before they were folded to `columns`.
  let wholeLines: [String]
  let columns: Int
  let hasDetails: Bool
  let isMenu: Bool
  /// `BrowserPictures.count` at the time of the layout.
  let pictures: Int
  private(set) var top = 0
  /// The folded words that are sought, and the line of the last match.
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

  /// True for links and for a command's output, after which a story's text comes back.
  var isPassing: Bool { shown == nil || isMenu }

  mutating func scroll(by step: Int, rows: Int) {
    top = max(min(top + step, lines.count - rows), 0)
  }

  /// The share of lines down to the last one shown, in per cent; nil if all fit.
  func position(rows: Int) -> String? {
    lines.count > rows ? "\(min(top + rows, lines.count) * 100 / lines.count) %" : nil
  }

  func isAtEnd(rows: Int) -> Bool { top + rows >= lines.count }

  /// Takes a new layout of the text; the line at the top stays there.
  ///
  /// If that line is gone, the share of the text above the top stays.
  mutating func replace(_ new: TextPane, rows: Int) {
    let part = lines.isEmpty ? 0 : Double(top) / Double(lines.count)
    let place = top == 0 ? 0 : new.index(ofLineAt: top, of: self)
    let sought = sought
    self = new
    self.sought = sought
    scroll(by: place ?? Int(part * Double(lines.count)), rows: rows)
  }

  /// Returns the index of an old line; the third of equal lines is the third again.
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

  mutating func seek(_ words: String, rows: Int) -> Bool {
    sought = TextFolding.fold(words)
    found = top - 1
    return find(by: 1, rows: rows)
  }

  mutating func endSearch() { sought = [] }

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
