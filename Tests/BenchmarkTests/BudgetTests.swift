import Testing

@testable import NewsBenchmark

@Suite("The table says of each budget whether it holds")
struct BudgetTests {
  @Test(
    "What is within its budget holds, and what is above it is missed",
    arguments: [
      (Budget.ratio(2), "holds: ≤ 2.0 ×"), (.ratio(1.6), "**MISSED**, 1.25 × of it: ≤ 1.6 ×"),
      (.ratio(0.5, to: "news"), "**MISSED**, 2.00 × of it: ≤ 0.50 × news"),
      (.seconds(0.25), "holds: ≤ 250.0 ms"),
      (.seconds(0.2), "**MISSED**, 1.25 × of it: ≤ 200.0 ms"),
      (.secondsMore(0.125), "holds: ≤ 125.0 ms more"),
      (.secondsMore(0.1), "**MISSED**, 1.25 × of it: ≤ 100.0 ms more"),
      (.megabytes(40), "holds: ≤ 40 MB"), (.megabytes(20), "**MISSED**, 2.00 × of it: ≤ 20 MB"),
    ],
  )
  func verdicts(budget: Budget, text: String) throws {
    let contest = contest([budget])
    #expect(
      Table.rows(of: contest) == [
        "| parse | bare | 125.0 ms ± 0 % | 1 | – | – |  |",
        "|  | news | 250.0 ms ± 0 % | 2.00 × | 40.0 MB | 900 | \(text) |",
      ]
    )
    let report = try report([contest])
    #expect(report.missed.isEmpty == text.hasPrefix("holds"))
  }

  @Test("Each budget that is missed is named with its limit")
  func missed() throws {
    let report = try report([contest([.ratio(1), .seconds(1), .megabytes(1)])])
    let missed = ["parse: news: ≤ 1.0 ×, 2.00 × of it", "parse: news: ≤ 1 MB, 40.00 × of it"]
    #expect(report.missed == missed)
  }

  @Test("Memory that could not be measured holds no budget")
  func unknownMemory() {
    #expect(Budget.megabytes(40).verdict(seconds: 1, ratio: 1, bytes: nil)?.holds == false)
  }

  @Test("What is measured by a tool that is not there has no verdict")
  func toolThatIsNotThere() throws {
    #expect(try report([contest([.ratio(0.9, to: "sfeed")])]).contests[0].figures[1].budgets == [])
  }

  @Test("A report keeps its budgets and its memory")
  func json() throws {
    let report = try report([contest([.ratio(1.9), .megabytes(40)])])
    #expect(try BenchmarkReport(json: Array(report.json().utf8)) == report)
  }

  @Test("What grows by more than its size is named")
  func steep() throws {
    var report = try report([])
    let points = [1, 2, 4].map { Growth.Point(size: $0, value: Double($0 * $0)) }
    report.growth = [Growth(name: "merge: time", points: points)]
    #expect(report.steep == ["merge: time grows by more than its size"])
  }

  private func contest(_ budgets: [Budget]) -> ContestReport {
    ContestReport(
      ContestResult(
        name: "parse",
        figures: [
          Figure(name: "bare", samples: [0.125]),
          Figure(name: "news", samples: [0.25], bytes: 40e6, faults: 900, budgets: budgets),
        ],
      )
    )
  }

  private func report(_ contests: [ContestReport]) throws -> BenchmarkReport {
    let machine = Machine(
      processor: "one",
      cores: 2,
      system: "Debian",
      kernel: "Linux",
      libxml2: "20914",
    )
    return BenchmarkReport(machine: machine, date: "2026-11-21T00:00:00Z", contests: contests)
  }
}
