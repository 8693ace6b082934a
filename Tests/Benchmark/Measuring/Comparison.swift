struct RatioMeasurement: Equatable {
  let ratio: Double
  let spread: Double
}

struct Comparison: Equatable {
  enum Change: Equatable {
    case new
    case slower
    case faster
    /// A difference of no more than the spreads of both runs together.
    case same
  }

  let contest: String
  let by: String
  let old: RatioMeasurement?
  let new: RatioMeasurement

  var change: Double? {
    old.map { new.ratio / $0.ratio }
  }

  var verdict: Change {
    guard let old, let change else { return .new }
    let spread = old.spread + new.spread
    if change > 1 + spread { return .slower }
    return change * (1 + spread) < 1 ? .faster : .same
  }
}
