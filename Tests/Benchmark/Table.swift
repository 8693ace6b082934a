enum Table {
  static func rows(of contest: ContestReport) -> [String] {
    contest.figures.enumerated().map { index, figure in
      let isFirst = index == 0
      let verdicts = (figure.budgets ?? []).map { verdict in
        "\(verdict.holds ? "holds" : "**MISSED**\(factor(verdict))"): \(limit(verdict))"
      }
      return """
        | \(isFirst ? contest.name : "") | \(figure.name) | \(time(figure.seconds)) \
        ± \(fixed(figure.spread * 100, 0)) % | \(isFirst ? "1" : fixed(figure.ratio, 2) + " ×") \
        | \(figure.bytes.map { fixed($0 / 1e6, 1) + " MB" } ?? "–") \
        | \(figure.faults.map(String.init) ?? "–") \
        | \(verdicts.joined(separator: ", ")) |
        """
    }
  }

  static func machine(of report: BenchmarkReport) -> String {
    let machine = report.machine
    return """
      \(machine.cores) cores of \(machine.processor), \(machine.system), \(machine.kernel), \
      libxml2 \(machine.libxml2), on \(report.date.prefix(10))
      """
  }

  static let head = [
    "| work | by | median | ratio | memory | page faults | budget |",
    "|---|---|---|---|---|---|---|",
  ]

  static func limit(_ verdict: Verdict) -> String {
    switch verdict.unit {
    case .ratio:
      "≤ \(fixed(verdict.limit, verdict.limit < 1 ? 2 : 1)) ×\(verdict.to.map { " " + $0 } ?? "")"
    case .seconds: "≤ \(time(verdict.limit))"
    case .secondsMore: "≤ \(time(verdict.limit)) more"
    case .megabytes: "≤ \(fixed(verdict.limit, 0)) MB"
    }
  }

  static func factor(_ verdict: Verdict) -> String {
    verdict.value.map { ", \(fixed($0 / verdict.limit, 2)) × of it" } ?? ""
  }

  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: "\(fixed(seconds * 1e9, 0)) ns"
    case ..<1e-3: "\(fixed(seconds * 1e6, 1)) µs"
    case ..<1: "\(fixed(seconds * 1e3, 1)) ms"
    default: "\(fixed(seconds, 2)) s"
    }
  }

  static func fixed(_ number: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((number * scale).rounded())
    guard digits > 0 else { return String(scaled) }
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int(scale))
    let text = String(fraction)
    return "\(whole).\(String(repeating: "0", count: digits - text.count))\(text)"
  }
}
