internal import CommandLine
internal import FeedParsing

/// The signs that stand for what a story's text is made of.
package struct StorySigns: Hashable, Sendable {
  /// Whether there is more than ASCII.
  let isUnicode: Bool
  /// Whether text can look deleted.
  let hasLooks: Bool

  package init(isUnicode: Bool, hasLooks: Bool) {
    self.isUnicode = isUnicode
    self.hasLooks = hasLooks
  }

  var bullet: String { isUnicode ? "•" : "-" }
  var bar: String { isUnicode ? "│" : "|" }
  var line: String { isUnicode ? "─" : "-" }
  var cross: String { isUnicode ? "┼" : "+" }

  func style(_ run: StoryRun) -> TextStyle {
    var style: TextStyle = []
    if run.marks.contains(.emphasis) { style.insert(.italic) }
    if run.marks.contains(.strong) { style.insert(.bold) }
    if run.marks.contains(.code) { style.insert(.cyan) }
    if run.marks.contains(.deleted) { style.insert(.struck) }
    if run.marks.contains(.underlined) || run.link != nil { style.insert(.underlined) }
    return style
  }

  func text(_ run: StoryRun) -> String {
    var text = run.text
    if run.marks.contains(.raised) {
      text = replaced(text, by: Self.raised) ?? (Self.isNumber(text) ? "^\(text)" : text)
    } else if run.marks.contains(.lowered) {
      text = replaced(text, by: Self.lowered) ?? text
    }
    return run.marks.contains(.deleted) && !hasLooks ? "~~\(text)~~" : text
  }

  private static let digits = Array("0123456789+-")
  private static let raised = Array("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
  private static let lowered = Array("₀₁₂₃₄₅₆₇₈₉₊₋")

  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { digits.contains($0) }
  }

  private func replaced(_ text: String, by signs: [Character]) -> String? {
    guard isUnicode else { return nil }
    var result = ""
    for character in text {
      guard let index = Self.digits.firstIndex(of: character) else { return nil }
      result.append(signs[index])
    }
    return result
  }
}
