import Testing

@testable import NewsBenchmark

@Suite("A run is compared with an older one by ratios, and by no more than they spread")
struct ComparisonTests {
  @Test(
    "What changed by more than both runs spread is slower or faster",
    arguments: [
      (1.2, Comparison.Verdict.slower), (1.1, .same), (1.0, .same), (0.92, .same), (0.8, .faster),
    ],
  )
  func verdicts(ratio: Double, verdict: Comparison.Verdict) {
    let comparison = Comparison(
      contest: "parse",
      by: "news",
      old: RatioMeasurement(ratio: 1, spread: 0.05),
      new: RatioMeasurement(ratio: ratio, spread: 0.05),
    )
    #expect(comparison.verdict == verdict)
  }

  @Test("What the older run didn't have is new")
  func absent() throws {
    let old = report(contests: [])
    let new = report(contests: [contest(ratio: 2)])
    let comparison = try #require(new.comparisons(with: old).first)
    #expect(comparison.verdict == .new)
    #expect(comparison.change == nil)
  }

  @Test("A machine that is half as fast changes nothing, for only ratios count")
  func slowMachine() {
    let old = report(contests: [contest(ratio: 2)])
    let new = report(contests: [contest(ratio: 2, seconds: 2)])
    #expect(new.comparisons(with: old).map(\.verdict) == [.same])
    #expect(new.comparisons(with: old).map(\.change) == [1])
  }

  @Test("The spread of what is measured by counts as well")
  func spreads() {
    let new = report(contests: [contest(ratio: 2.2)])
    let comparisons = new.comparisons(with: report(contests: [contest(ratio: 2)]))
    #expect(comparisons.map(\.new.spread) == [0.04])
    #expect(comparisons.map(\.verdict) == [.slower])
  }

  @Test("A report is read as it was written")
  func json() throws {
    let report = report(contests: [contest(ratio: 2)])
    #expect(try BenchmarkReport(json: Array(report.json().utf8)) == report)
  }

  @Test("A contest holds when the ratio of news is within its budget", arguments: [1.5, 2.5])
  func budget(budget: Double) {
    let result = ContestResult(
      name: "parse",
      budget: budget,
      figures: [Figure(name: "bare", samples: [1]), Figure(name: "news", samples: [2])],
    )
    #expect(ContestReport(result).holds == (budget >= 2))
  }

  private func report(contests: [ContestReport]) -> BenchmarkReport {
    let machine = Machine(
      processor: "one",
      cores: 2,
      system: "Debian",
      kernel: "Linux",
      libxml2: "20914",
    )
    return BenchmarkReport(machine: machine, date: "2026-11-21T00:00:00Z", contests: contests)
  }

  private func contest(ratio: Double, seconds: Double = 1) -> ContestReport {
    ContestReport(
      name: "parse",
      budget: nil,
      holds: nil,
      figures: [
        FigureReport(name: "bare", seconds: seconds, spread: 0.03, ratio: 1),
        FigureReport(name: "news", seconds: seconds * ratio, spread: 0.01, ratio: ratio),
      ],
    )
  }
}
