import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

/// A text in its pane: a story's, its links as a menu, or the output of a command.
struct TextPane {
  let shown: ShownStory?
  let lines: [String]
  /// Lays the lines out in so many columns.
  let layOut: @Sendable (Int) -> [String]
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
    (self.shown, self.pictures) = (shown, pictures)
    (self.columns, self.hasDetails, self.isMenu) = (columns, hasDetails, isMenu)
    layOut = { columns in lines.flatMap { TerminalText.folded($0, to: columns) } }
    self.lines = layOut(columns)
  }

  /// Creates a text that is no story's.
  init(columns: Int, hasDetails: Bool, layOut: @escaping @Sendable (Int) -> [String]) {
    (shown, pictures, isMenu) = (nil, 0, false)
    (self.columns, self.hasDetails, self.layOut) = (columns, hasDetails, layOut)
    lines = layOut(columns)
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

  /// The place that is shown, to be found again in another layout and in a text that has changed.
  var place: TextPlace {
    TextPlace(line: top, lines: lines.count, start: letters(from: top, TextPlace.startLength))
  }

  mutating func go(to place: TextPlace, rows: Int) {
    scroll(by: line(of: place) - top, rows: rows)
  }

  /// Takes a new layout of the text; the line at the top stays there.
  mutating func replace(_ new: TextPane, rows: Int) {
    let line = top == 0 ? 0 : new.index(ofLineAt: top, of: self) ?? new.line(of: place)
    let sought = sought
    self = new
    self.sought = sought
    scroll(by: line, rows: rows)
  }

  /// Returns the index of an old line; the third of equal lines is the third again.
  private func index(ofLineAt index: Int, of old: TextPane) -> Int? {
    guard old.lines.indices.contains(index) else { return nil }
    let line = old.lines[index]
    let number = old.lines[..<index].count { $0 == line }
    return lines.indices.filter { lines[$0] == line }.dropFirst(number).first
  }

  /// Returns the line where the words of a place begin; of several the one that is nearest to the
  /// place's share of the text, and where they are gone, that of the share.
  private func line(of place: TextPlace) -> Int {
    let share = place.line(of: lines.count)
    guard !place.start.isEmpty else { return share }
    if letters(from: place.line, TextPlace.startLength) == place.start { return place.line }
    let found = lines.indices.filter { begins(place.start, in: $0) }
    return found.min { abs($0 - share) < abs($1 - share) } ?? share
  }

  private func begins(_ start: String, in line: Int) -> Bool {
    let own = Self.letters(of: lines[line])
    guard let first = start.first, own.contains(first) else { return false }
    let text = own + letters(from: line + 1, start.count)
    return text.firstRange(of: start).map { text[..<$0.lowerBound].count < own.count } ?? false
  }

  private func letters(from line: Int, _ most: Int) -> String {
    var (text, rest) = ("", lines.dropFirst(line))
    while text.count < most, let line = rest.popFirst() { text += Self.letters(of: line) }
    return String(text.prefix(most))
  }

  /// Drops what depends on the layout: blanks, signs before quotations, pictures.
  private static func letters(of line: String) -> String {
    TerminalText.unstyled(line).filter { $0.isLetter || $0.isNumber }
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
