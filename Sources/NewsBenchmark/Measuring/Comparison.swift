/// A ratio to the first contender, and how far both of them spread, as a share.
struct RatioMeasurement: Equatable {
  let ratio: Double
  let spread: Double
}

/// A contender's ratio now beside what it was in an older run.
struct Comparison: Equatable {
  enum Change: Equatable {
    /// The older run didn't have it.
    case new
    case slower
    case faster
    /// Different by no more than the spreads of both runs together.
    case same
  }

  let contest: String
  let by: String
  let old: RatioMeasurement?
  let new: RatioMeasurement

  /// The ratio of the ratios; nil when there is no older one.
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
