extension Table {
  static let comparisonHead = [
    "| work | by | ratio before | now | change | |", "|---|---|---|---|---|---|",
  ]

  static func row(of comparison: Comparison) -> String {
    let before = comparison.old.map { fixed($0.ratio, 2) + " ×" } ?? "–"
    let change = comparison.change.map { fixed($0, 2) + " ×" } ?? "–"
    return """
      | \(comparison.contest) | \(comparison.by) | \(before) \
      | \(fixed(comparison.new.ratio, 2)) × | \(change) | \(word(comparison.verdict)) |
      """
  }

  private static func word(_ verdict: Comparison.Change) -> String {
    switch verdict {
    case .new: "new"
    case .slower: "**slower**"
    case .faster: "faster"
    case .same: ""
    }
  }
}
