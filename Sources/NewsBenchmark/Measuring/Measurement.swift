internal import TestSupport

/// One way to do a piece of work.
struct Contender {
  let name: String
  /// How often `run` does the work: what is told is the time of one.
  let calls: Int
  /// The most that it may take.
  let budgets: [Budget]
  let run: () throws -> Void
  /// Does the work, and tells the most memory that it takes meanwhile, in bytes; nil where that is
  /// not known.
  let peak: () throws -> Double?

  /// Work of this process: its memory is what it takes beyond what was there before.
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
    peak = { try ResidentMemory.peak(of: run) }
  }

  /// Work of a process of its own.
  ///
  /// - Parameters:
  ///   - name: what it is called in the table.
  ///   - words: the program and its arguments.
  ///   - folder: where it runs; nil for this process's own.
  ///   - budgets: the most that it may take.
  ///   - expected: what its output begins with; where there is something, the status does not count.
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
    peak = { Double(try PeakMemory.bytes(of: measured, folder: folder)) }
  }
}

extension Contender {
  /// The same, with something that has to be there as long as it is.
  func keeping(_ something: some Any) -> Contender {
    Contender(
      name: name,
      calls: calls,
      budgets: budgets,
      run: {
        try run()
        withExtendedLifetime(something) {}
      },
      peak: peak,
    )
  }

  private init(
    name: String,
    calls: Int,
    budgets: [Budget],
    run: @escaping () throws -> Void,
    peak: @escaping () throws -> Double?,
  ) {
    self.name = name
    self.calls = calls
    self.budgets = budgets
    self.run = run
    self.peak = peak
  }
}

/// The same work done in several ways, in turn, in one run on one machine.
struct Contest {
  let name: String
  /// More rounds would take too long.
  var mostRounds = Int.max
  /// The first one is what the others are compared with.
  let contenders: [Contender]

  /// Does the work `rounds` times each, interleaved, after one round that tells the memory.
  func measure(rounds: Int) throws -> ContestResult {
    var seconds = contenders.map { _ in [Double]() }
    let bytes = try contenders.map { try $0.peak() }
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
        bytes: bytes[index],
        budgets: contenders[index].budgets,
      )
    }
    return ContestResult(name: name, figures: figures)
  }
}

/// How long one contender took.
struct Figure {
  let name: String
  /// Seconds, in the order of the rounds.
  let samples: [Double]
  /// The peak of memory; of work in this process what it took beyond what was there before.
  var bytes: Double?
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

  /// The median of what each contender took in a round over what the first one took in the same.
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
