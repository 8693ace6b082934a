/// One way to do a piece of work.
struct Contender {
  let name: String
  /// How often `run` does the work: what is told is the time of one.
  var calls = 1
  let run: () throws -> Void
}

/// The same work done in several ways, in turn, in one run on one machine.
struct Contest {
  let name: String
  /// What the ratio is bound by (design §7), and what it is the ratio to.
  var budget: Double?
  /// The first one is what the others are compared with.
  let contenders: [Contender]

  /// Does the work `rounds` times each, interleaved, after one round that does not count.
  func measure(rounds: Int) throws -> ContestResult {
    var seconds = contenders.map { _ in [Double]() }
    for round in 0...rounds {
      for (index, contender) in contenders.enumerated() {
        let elapsed = try ContinuousClock().measure { try contender.run() }
        if round > 0 { seconds[index].append(elapsed / .seconds(contender.calls)) }
      }
    }
    let figures = zip(contenders, seconds).map { Figure(name: $0.name, samples: $1) }
    return ContestResult(name: name, budget: budget, figures: figures)
  }
}

/// How long one contender took.
struct Figure {
  let name: String
  /// Seconds, in the order of the rounds.
  let samples: [Double]

  var median: Double {
    samples.sorted()[samples.count / 2]
  }

  /// Half the range between the first and the third quartile, as a share of the median.
  var spread: Double {
    let sorted = samples.sorted()
    return (sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]) / 2 / median
  }
}

struct ContestResult {
  let name: String
  let budget: Double?
  let figures: [Figure]

  /// Each contender's median over the first one's.
  var ratios: [Double] {
    figures.map { $0.median / figures[0].median }
  }
}
