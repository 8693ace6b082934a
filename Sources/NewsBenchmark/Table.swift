/// Figures as the rows of a Markdown table.
enum Table {
  static func rows(of result: ContestResult) -> [String] {
    zip(result.figures, result.ratios).enumerated().map { index, row in
      let (figure, ratio) = row
      let isFirst = index == 0
      return """
        | \(isFirst ? result.name : "") | \(figure.name) | \(time(figure.median)) \
        ± \(fixed(figure.spread * 100, 0)) % | \(isFirst ? "1" : fixed(ratio, 2) + " ×") \
        | \(verdict(ratio, figure.name == "news" ? result.budget : nil)) |
        """
    }
  }

  static let head = ["| work | by | median | ratio | budget |", "|---|---|---|---|---|"]

  /// A number of seconds in the unit that suits it.
  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: "\(fixed(seconds * 1e9, 0)) ns"
    case ..<1e-3: "\(fixed(seconds * 1e6, 1)) µs"
    case ..<1: "\(fixed(seconds * 1e3, 1)) ms"
    default: "\(fixed(seconds, 2)) s"
    }
  }

  /// A number with so many digits after the point.
  static func fixed(_ number: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((number * scale).rounded())
    guard digits > 0 else { return String(scaled) }
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int(scale))
    let text = String(fraction)
    return "\(whole).\(String(repeating: "0", count: digits - text.count))\(text)"
  }

  private static func verdict(_ value: Double, _ budget: Double?) -> String {
    guard let budget else { return "" }
    return "\(value <= budget ? "holds" : "**missed**"): ≤ \(fixed(budget, 1)) ×"
  }
}
