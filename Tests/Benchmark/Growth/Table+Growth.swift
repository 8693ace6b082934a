extension Table {
  static let growthHead = [
    "", "| growth of | sizes | first | last | exponent | |", "|---|---|---|---|---|---|",
  ]

  static func row(of growth: Growth, showing value: (Double) -> String) -> String {
    let sizes = growth.points.map { String($0.size) }.joined(separator: ", ")
    let ends = [growth.points.first, growth.points.last].map { $0.map { value($0.value) } ?? "–" }
    return """
      | \(growth.name) | \(sizes) | \(ends.joined(separator: " | ")) \
      | \(growth.exponent.map { signed($0, 2) } ?? "–") \
      | \(growth.isLinear ? "" : "**MISSED**: above \(fixed(Growth.maximumExponent, 1))") |
      """
  }

  private static func signed(_ number: Double, _ digits: Int) -> String {
    (number < 0 ? "-" : "") + fixed(abs(number), digits)
  }
}
