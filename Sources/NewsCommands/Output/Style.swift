/// How text is dressed for a terminal: weight and colour (SGR), and hyperlinks (OSC 8).
///
/// Only what reads well on dark and on light backgrounds alike: bold, dim, and three of the eight
/// basic colours, which themes choose.
struct Style: Hashable, Sendable {
  var isColored: Bool
  var hasHyperlinks: Bool
  /// The cursor can be sent to a column (CHA), whatever stands before it.
  var hasColumns = false

  static let plain = Style(isColored: false, hasHyperlinks: false)

  func bold(_ text: String) -> String { dressed(text, "1") }
  func dim(_ text: String) -> String { dressed(text, "2") }
  func cyan(_ text: String) -> String { dressed(text, "36") }
  func red(_ text: String) -> String { dressed(text, "31") }
  func green(_ text: String) -> String { dressed(text, "32") }

  /// `text` that leads to `url` when it is clicked, where the terminal can do so.
  func link(_ text: String, to url: String) -> String {
    guard hasHyperlinks, SafeLink.isSafe(url) else { return text }
    return "\u{1b}]8;;\(url)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
  }

  /// From `text`, which is so wide by our reckoning, on to the column behind so many.
  func fill(after text: String, width: Int, to columns: Int) -> String {
    // The terminal counts columns from 1.
    hasColumns && !TerminalText.isCertain(text)
      ? "\u{1b}[\(columns + 1)G" : TerminalText.spaces(columns - width)
  }

  private func dressed(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
