internal import System

struct BenchmarkOptions {
  /// A part of the names of the groups of contests, or of the kinds of growing work, to measure.
  var only: String?
  var rounds = 7
  var megabytes = 123
  var json = false
  var growth = false
  /// True to count instructions in place of time and memory, for `growth`.
  var counts = false
  /// The path of an older report.
  var compared: String?

  init(_ arguments: [String]) {
    json = arguments.contains("--json")
    growth = arguments.contains("--growth")
    counts = arguments.contains("--counts")
    for (name, value) in zip(arguments, arguments.dropFirst()) {
      switch name {
      case "--only": only = value
      case "--rounds": rounds = Int(value) ?? rounds
      case "--megabytes": megabytes = Int(value) ?? megabytes
      case "--compare": compared = value
      default: break
      }
    }
  }
}

/// The comparison of everything that has a budget with its alternatives, in one run.
struct Benchmark {
  let options: BenchmarkOptions
  /// A temporary folder, which the caller removes.
  let folder: String

  /// Returns true where all measured budgets hold, and nothing grows faster than its size.
  func run() throws -> Bool {
    // Read before the work, which takes minutes.
    let old = try options.compared.map { try BenchmarkReport(json: try Files.read($0)) }
    let report = try measure()
    if options.json { print(try report.json()) }
    if let old { show(report, comparedWith: old) }
    let faults = report.missed + report.steep
    for fault in faults { Files.complain("NewsBenchmark: missed: \(fault)") }
    return faults.isEmpty
  }

  private func show(_ report: BenchmarkReport, comparedWith old: BenchmarkReport) {
    let lines = Table.comparisonHead + report.comparisons(with: old).map(Table.row)
    for line in [""] + lines { options.json ? Files.complain(line) : print(line) }
  }

  private func measure() throws -> BenchmarkReport {
    var report = BenchmarkReport.now()
    if options.growth {
      report.growth = try GrowthBenchmark(
        rounds: options.rounds,
        folder: folder,
        only: options.only,
        countsInstructions: options.counts,
      ).run(show)
      return report
    }
    show([Table.machine(of: report), ""] + Table.head)
    for group in groups where options.only.map({ group.name.contains($0) }) ?? true {
      for contest in try group.contests() {
        let result = ContestReport(try contest.measure(rounds: options.rounds))
        report.contests.append(result)
        show(Table.rows(of: result))
      }
    }
    return report
  }

  private func show(_ rows: [String]) {
    guard !options.json else { return }
    for row in rows { print(row) }
    // Whoever keeps the rows in a file sees them as they come, too.
    fflush(nil)
  }

  private var groups: [(name: String, contests: () throws -> [Contest])] {
    [
      (
        "parse",
        {
          let bytes = options.megabytes * 1_000_000
          return try ParsingBenchmark(bytes: bytes, folder: folder).contests() + [
            JSONBenchmark(bytes: min(bytes, 20_000_000)).contest(),
            ProcessParsingBenchmark(bytes: 1_000_000, folder: folder).contest(),
            ProcessParsingBenchmark(bytes: min(bytes, 31_000_000), folder: folder).contest(),
            ProcessParsingBenchmark(bytes: bytes, folder: folder).contest(),
          ]
        },
      ),
      ("calls", { CallBenchmark().contests() }),
      ("merge", { [try MergeBenchmark(stories: 25_000, feeds: 500, folder: folder).contest()] }),
      ("codec", { try CodecBenchmark(count: 20_000, folder: folder).contests() }),
      ("save", { [try StoreBenchmark(count: 100_000, folder: folder).saving()] }),
      (
        "list",
        {
          try [PrintingBenchmark(folder: folder).contest()]
            + ListBenchmark(folder: folder).contests()
        },
      ),
      ("start", { try StartBenchmark(folder: folder).contests() }),
      ("separation", { try SeparationBenchmark(folder: folder).contests() }),
      (
        "refresh",
        {
          try RefreshBenchmark(feeds: 500, folder: folder).contests()
            + RefreshBenchmark(feeds: 5_000, folder: folder).contests()
        },
      ),
      ("memory", { try MemoryBenchmark(folder: folder).contests() }),
    ]
  }
}
