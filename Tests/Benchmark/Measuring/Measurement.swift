internal import TestSupport

struct Contender {
  let name: String
  /// The number of times that `run` does the work; the time of one is reported.
  let calls: Int
  let budgets: [Budget]
  let run: () throws -> Void
  /// Does the work, and returns what it takes.
  let footprint: () throws -> Footprint

  /// Makes a contender of this process, whose memory is what it takes beyond what was there before.
  init(
    name: String,
    calls: Int = 1,
    budgets: [Budget] = [],
    run: @escaping () throws -> Void,
  ) {
    self.name = name
    self.calls = calls
    self.budgets = budgets
    self.run = run
    footprint = { Footprint(bytes: try ResidentMemory.peak(of: run)) }
  }

  /// Makes a contender of a separate process.
  ///
  /// With `expected`, the beginning of its output counts in place of its status.
  init(
    name: String,
    process words: [String],
    folder: String? = nil,
    budgets: [Budget] = [],
    expecting expected: String? = nil,
  ) {
    self.name = name
    calls = 1
    self.budgets = budgets
    run = {
      let result = try Subprocess.run(words, folder: folder)
      let isExpected = expected.map { result.text.hasPrefix($0) } ?? (result.status == 0)
      guard isExpected else { throw UnexpectedOutput(text: result.text + result.errorText) }
    }
    let anyway = ["sh", "-c", "\"$@\" > /dev/null; true", "sh"]
    let measured = expected == nil ? words : anyway + words
    footprint = { try PeakMemory.footprint(of: measured, folder: folder) }
  }
}

extension Contender {
  /// Keeps something alive as long as the contender.
  func keeping(_ something: some Any) -> Contender {
    Contender(
      name: name,
      calls: calls,
      budgets: budgets,
      run: {
        try run()
        withExtendedLifetime(something) {}
      },
      footprint: footprint,
    )
  }

  private init(
    name: String,
    calls: Int,
    budgets: [Budget],
    run: @escaping () throws -> Void,
    footprint: @escaping () throws -> Footprint,
  ) {
    self.name = name
    self.calls = calls
    self.budgets = budgets
    self.run = run
    self.footprint = footprint
  }
}

/// One piece of work done in several ways, in turn, in one run on one machine.
struct Contest {
  let name: String
  /// The largest number of rounds; more would take too long.
  var mostRounds = Int.max
  /// The contenders; the others are compared with the first.
  let contenders: [Contender]

  /// Does the work `rounds` times each, interleaved, after one round for the memory.
  func measure(rounds: Int) throws -> ContestResult {
    var seconds = contenders.map { _ in [Double]() }
    let footprints = try contenders.map { try $0.footprint() }
    for _ in 0..<min(rounds, mostRounds) {
      for (index, contender) in contenders.enumerated() {
        let elapsed = try ContinuousClock().measure { try contender.run() }
        seconds[index].append(elapsed / .seconds(contender.calls))
      }
    }
    let figures = contenders.indices.map { index in
      Figure(
        name: contenders[index].name,
        samples: seconds[index],
        bytes: footprints[index].bytes,
        faults: footprints[index].faults,
        budgets: contenders[index].budgets,
      )
    }
    return ContestResult(name: name, figures: figures)
  }
}

struct Figure {
  let name: String
  /// Seconds, in the order of the rounds.
  let samples: [Double]
  /// The peak of memory; of work in this process what it took beyond what was there before.
  var bytes: Double?
  var faults: Int?
  var budgets: [Budget] = []

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
  let figures: [Figure]

  /// The median ratio of each contender's time in a round to the first one's.
  ///
  /// A machine that changes its speed does so between rounds rather than within one: the ratio of
  /// two medians may be that of two speeds.
  var ratios: [Double] {
    figures.map { figure in
      let ratios = zip(figure.samples, figures[0].samples).map { $0 / $1 }.sorted()
      return ratios[ratios.count / 2]
    }
  }
}
