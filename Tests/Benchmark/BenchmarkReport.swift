/// A report that `--json` prints and `--compare` reads.
struct BenchmarkReport: Codable, Equatable {
  let machine: Machine
  /// The beginning of the run, in RFC 3339.
  let date: String
  var contests: [ContestReport] = []
  var growth: [Growth]?

  var missed: [String] {
    contests.flatMap { contest in
      contest.figures.flatMap { figure in
        (figure.budgets ?? []).filter { !$0.holds }.map { budget in
          "\(contest.name): \(figure.name): \(Table.limit(budget))\(Table.factor(budget))"
        }
      }
    }
  }

  var steep: [String] {
    (growth ?? []).filter { !$0.isLinear }.map { "\($0.name) grows by more than its size" }
  }

  /// Compares with an older report, without the first contender of each contest, which the others
  /// are measured by.
  func comparisons(with old: BenchmarkReport) -> [Comparison] {
    contests.flatMap { contest in
      contest.figures.dropFirst().map { figure in
        Comparison(
          contest: contest.name,
          by: figure.name,
          old: old.measurement(contest: contest.name, by: figure.name),
          new: contest.measurement(of: figure),
        )
      }
    }
  }

  private func measurement(contest name: String, by contender: String) -> RatioMeasurement? {
    guard let contest = contests.first(where: { $0.name == name }),
      let figure = contest.figures.first(where: { $0.name == contender })
    else { return nil }
    return contest.measurement(of: figure)
  }
}

struct ContestReport: Codable, Equatable {
  let name: String
  let figures: [FigureReport]

  fileprivate func measurement(of figure: FigureReport) -> RatioMeasurement {
    RatioMeasurement(ratio: figure.ratio, spread: figure.spread + (figures.first?.spread ?? 0))
  }
}

extension ContestReport {
  init(_ result: ContestResult) {
    let ratios = Dictionary(zip(result.figures.map(\.name), result.ratios)) { first, _ in first }
    let figures = zip(result.figures, result.ratios).map { figure, ratio in
      FigureReport(
        name: figure.name,
        seconds: figure.median,
        spread: figure.spread,
        ratio: ratio,
        bytes: figure.bytes,
        faults: figure.faults,
        budgets: figure.budgets.compactMap { budget in
          budget.verdict(
            seconds: figure.median,
            ratio: ratio,
            bytes: figure.bytes,
            others: ratios,
          )
        },
      )
    }
    self.init(name: result.name, figures: figures)
  }
}

struct FigureReport: Codable, Equatable {
  let name: String
  /// The median.
  let seconds: Double
  /// A share of the median.
  let spread: Double
  /// A multiple of the contest's first contender.
  let ratio: Double
  var bytes: Double?
  /// The page faults; reports from before they were counted have none.
  var faults: Int?
  /// The verdicts; reports from before there were any have none.
  var budgets: [Verdict]?
}
