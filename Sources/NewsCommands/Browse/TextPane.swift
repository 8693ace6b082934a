import FeedModel

/// A story's text as it is read.
struct TextPane {
  private(set) var shown: ShownStory
  private(set) var lines: [String]
  /// The line at the top.
  private(set) var top = 0

  init(_ shown: ShownStory, _ lines: [String]) {
    (self.shown, self.lines) = (shown, lines)
  }

  mutating func scroll(by step: Int, rows: Int) {
    let sum = top.addingReportingOverflow(step)
    top = max(min(sum.overflow ? (step < 0 ? 0 : .max) : sum.partialValue, lines.count - rows), 0)
  }

  func isAtEnd(rows: Int) -> Bool { top + rows >= lines.count }

  /// The same story laid out anew; as far down as before.
  mutating func replace(_ shown: ShownStory, _ lines: [String], rows: Int) {
    let part = self.lines.isEmpty ? 0 : Double(top) / Double(self.lines.count)
    (self.shown, self.lines) = (shown, lines)
    top = 0
    scroll(by: Int(part * Double(lines.count)), rows: rows)
  }
}
