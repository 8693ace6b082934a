import FeedModel

/// A story's text as it is read.
struct TextPane {
  let shown: ShownStory
  let lines: [String]
  /// Columns that the lines are laid out for.
  let columns: Int
  /// Whether they tell all that is known of the story.
  let hasDetails: Bool
  /// The line at the top.
  private(set) var top = 0

  init(_ shown: ShownStory, _ lines: [String], columns: Int, hasDetails: Bool) {
    (self.shown, self.lines) = (shown, lines)
    (self.columns, self.hasDetails) = (columns, hasDetails)
  }

  func isOf(_ story: StoredItem) -> Bool { shown.named.story.id == story.id }

  mutating func scroll(by step: Int, rows: Int) {
    top = max(min(top + step, lines.count - rows), 0)
  }

  /// How much of it was seen down to the last line shown; nil for what fits the screen.
  func position(rows: Int) -> String? {
    lines.count > rows ? "\(min(top + rows, lines.count) * 100 / lines.count) %" : nil
  }

  func isAtEnd(rows: Int) -> Bool { top + rows >= lines.count }

  /// The same story laid out anew; as far down as before.
  mutating func replace(_ new: TextPane, rows: Int) {
    let part = lines.isEmpty ? 0 : Double(top) / Double(lines.count)
    self = new
    scroll(by: Int(part * Double(lines.count)), rows: rows)
  }
}
