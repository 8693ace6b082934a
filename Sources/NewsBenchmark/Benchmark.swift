/// What to measure, from the command line.
struct BenchmarkOptions {
  /// Only contests whose name contains this.
  var only: String?
  var rounds = 7
  /// The size of the documents to be parsed.
  var megabytes = 123

  init(_ arguments: [String]) {
    for (name, value) in zip(arguments, arguments.dropFirst()) {
      switch name {
      case "--only": only = value
      case "--rounds": rounds = Int(value) ?? rounds
      case "--megabytes": megabytes = Int(value) ?? megabytes
      default: break
      }
    }
  }
}

/// Everything that the design promises, measured beside the alternatives in one run.
struct Benchmark {
  let options: BenchmarkOptions
  /// A folder for files, gone after the run.
  let folder: String

  func run() throws {
    for line in Table.head { print(line) }
    for group in groups where options.only.map({ group.name.contains($0) }) ?? true {
      for contest in try group.contests() {
        let result = try contest.measure(rounds: options.rounds)
        for row in Table.rows(of: result) { print(row) }
      }
    }
    guard options.only.map({ "memory".contains($0) }) ?? true else { return }
    for row in try MemoryBenchmark(folder: folder).rows() { print(row) }
  }

  private var groups: [(name: String, contests: () throws -> [Contest])] {
    [
      (
        "parse",
        { try ParsingBenchmark(bytes: options.megabytes * 1_000_000, folder: folder).contests() },
      ),
      ("save", { try StoreBenchmark(count: 100_000, folder: folder).contests() }),
      ("list", { try ListBenchmark(folder: folder).contests() }),
      ("refresh", { try RefreshBenchmark(folder: folder).contests() }),
    ]
  }
}
