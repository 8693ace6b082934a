/// The most that a contender may take.
enum Budget: Equatable {
  /// So many times what the first contender takes.
  case ratio(Double)
  case seconds(Double)
  /// At the peak.
  case megabytes(Double)

  /// How a contender does by it.
  func verdict(seconds: Double, ratio: Double, bytes: Double?) -> Verdict {
    switch self {
    case .ratio(let limit): Verdict(unit: .ratio, limit: limit, value: ratio)
    case .seconds(let limit): Verdict(unit: .seconds, limit: limit, value: seconds)
    case .megabytes(let limit):
      Verdict(unit: .megabytes, limit: limit, value: bytes.map { $0 / 1e6 } ?? .infinity)
    }
  }
}

/// A budget, and what a contender takes of it.
struct Verdict: Codable, Equatable {
  enum Unit: String, Codable {
    case ratio
    case seconds
    case megabytes
  }

  let unit: Unit
  let limit: Double
  /// Whether the contender stays within it.
  let holds: Bool

  init(unit: Unit, limit: Double, value: Double) {
    self.unit = unit
    self.limit = limit
    holds = value <= limit
  }
}
