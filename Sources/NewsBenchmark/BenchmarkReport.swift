/// What a run measured, as `--json` prints it and `--compare` reads it.
struct BenchmarkReport: Codable, Equatable {
  let machine: Machine
  /// When the run began, in RFC 3339.
  let date: String
  var contests: [ContestReport] = []
  /// Not compared by ratios: what it takes hardly differs between machines.
  var memory: [MemoryReport] = []
  /// With `--growth` only.
  var growth: [Growth]?

  /// The comparisons with an older report, contest by contest.
  ///
  /// The first contender of a contest is what the others are measured by, and isn't compared.
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

/// One contest of a run.
struct ContestReport: Codable, Equatable {
  let name: String
  /// What the ratio of `news` is bound by; absent where nothing is promised.
  let budget: Double?
  /// Whether the ratio of `news` is within the budget.
  let holds: Bool?
  let figures: [FigureReport]

  fileprivate func measurement(of figure: FigureReport) -> RatioMeasurement {
    RatioMeasurement(ratio: figure.ratio, spread: figure.spread + (figures.first?.spread ?? 0))
  }
}

extension ContestReport {
  init(_ result: ContestResult) {
    let figures = zip(result.figures, result.ratios).map { figure, ratio in
      FigureReport(name: figure.name, seconds: figure.median, spread: figure.spread, ratio: ratio)
    }
    let own = figures.first { $0.name == "news" }
    self.init(
      name: result.name,
      budget: result.budget,
      holds: result.budget.flatMap { budget in own.map { $0.ratio <= budget } },
      figures: figures,
    )
  }
}

/// What one contender of a contest took.
struct FigureReport: Codable, Equatable {
  let name: String
  /// The median.
  let seconds: Double
  /// As a share of the median.
  let spread: Double
  /// To the first contender of the contest.
  let ratio: Double
}
