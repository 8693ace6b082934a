internal import CommandLine
internal import HTMLParsing

package struct StorySigns: Hashable, Sendable {
  let isUnicode: Bool
  /// True if the terminal can strike text out.
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
    run.marks.contains(.deleted) && !hasLooks ? "~~\(run.text)~~" : run.text
  }
}

extension [StoryInline] {
  /// The marks of an index in a power: `x^(a_i)`.
  private static let both: StoryMarks = [.raised, .lowered]

  /// Writes raised and lowered text as it stands in lines: `10⁻³`, `2^l`, `z_max`.
  ///
  /// Runs that touch are one: `l` and `+1` come to `^(l+1)`.
  func inLine(isUnicode: Bool) -> [StoryInline] {
    guard contains(where: { $0.place != nil }) else { return self }
    var result: [StoryInline] = []
    var (index, base) = (startIndex, "")
    while index < endIndex {
      guard let place = self[index].place else {
        result.append(self[index])
        base = String((base + self[index].end).suffix(4))
        index += 1
        continue
      }
      var runs = self[index...].prefix { $0.place == place }.compactMap(\.run)
      for number in runs.indices.dropFirst() where runs[number].marks.isSuperset(of: Self.both) {
        let (text, base) = (runs[number].text, runs[number - 1].text)
        let form = RaisedText(text, .lowered, behind: base, isUnicode: isUnicode)
        runs[number].text = form.line(text)
      }
      let text = runs.map(\.text).joined()
      let form = RaisedText(text, place, behind: base, isUnicode: isUnicode)
      for (number, run) in runs.enumerated() {
        var run = run
        run.text = form.signs(run.text)
        if number == 0 { run.text = form.before + run.text }
        if number == runs.count - 1 { run.text += form.after }
        run.marks.subtract([.raised, .lowered])
        result.append(.text(run))
      }
      (index, base) = (index + runs.count, String((base + text).suffix(4)))
    }
    return result
  }
}

extension StoryInline {
  fileprivate var run: StoryRun? {
    if case .text(let run) = self { run } else { nil }
  }

  fileprivate var place: RaisedText.Place? {
    guard let marks = run?.marks else { return nil }
    return marks.contains(.raised) ? .raised : marks.contains(.lowered) ? .lowered : nil
  }

  fileprivate var end: String { run.map { String($0.text.suffix(4)) } ?? " " }
}
