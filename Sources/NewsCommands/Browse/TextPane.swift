import FeedModel

/// A story's text as it is read.
struct TextPane {
  private(set) var shown: ShownStory
  private(set) var lines: [String]
  /// Columns that the lines are laid out for.
  private(set) var columns: Int
  /// The line at the top.
  private(set) var top = 0

  init(_ shown: ShownStory, _ lines: [String], columns: Int) {
    (self.shown, self.lines, self.columns) = (shown, lines, columns)
  }

  mutating func scroll(by step: Int, rows: Int) {
    let sum = top.addingReportingOverflow(step)
    top = max(min(sum.overflow ? (step < 0 ? 0 : .max) : sum.partialValue, lines.count - rows), 0)
  }

  func isAtEnd(rows: Int) -> Bool { top + rows >= lines.count }

  /// The same story laid out anew; as far down as before.
  mutating func replace(_ new: TextPane, rows: Int) {
    let part = lines.isEmpty ? 0 : Double(top) / Double(lines.count)
    self = new
    scroll(by: Int(part * Double(lines.count)), rows: rows)
  }
}
