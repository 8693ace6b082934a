import Testing

@testable import NewsBenchmark

@Suite("A run is compared with an older one by ratios, and by no more than they spread")
struct ComparisonTests {
  @Test(
    "What changed by more than both runs spread is slower or faster",
    arguments: [
      (1.2, Comparison.Change.slower), (1.1, .same), (1.0, .same), (0.92, .same), (0.8, .faster),
    ],
  )
  func verdicts(ratio: Double, verdict: Comparison.Change) {
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

  @Test("A report of before there were budgets of contenders is still compared with")
  func older() throws {
    let text = """
      {"machine": {"processor": "one", "cores": 2, "system": "Debian", "kernel": "Linux",
      "libxml2": "20914"}, "date": "2026-11-21T00:00:00Z", "memory": [], "contests": [
      {"name": "parse", "budget": 1.6, "holds": true, "figures": [
      {"name": "bare", "seconds": 1, "spread": 0.03, "ratio": 1},
      {"name": "news", "seconds": 2, "spread": 0.01, "ratio": 2}]}]}
      """
    let old = try BenchmarkReport(json: Array(text.utf8))
    let new = report(contests: [contest(ratio: 2)])
    #expect(new.comparisons(with: old).map(\.verdict) == [.same])
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
      figures: [
        FigureReport(name: "bare", seconds: seconds, spread: 0.03, ratio: 1),
        FigureReport(name: "news", seconds: seconds * ratio, spread: 0.01, ratio: ratio),
      ],
    )
  }
}
