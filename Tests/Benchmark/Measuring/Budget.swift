enum Budget: Equatable {
  /// A multiple of a contender of the contest; without a name, of the first.
  case ratio(Double, to: String? = nil)
  case seconds(Double)
  /// Seconds beyond those of the first contender.
  case secondsMore(Double)
  /// The peak of memory.
  case megabytes(Double)

  /// Returns nil where the contender to compare with is not there.
  ///
  /// `others` has the ratios of all contenders to the first, by name.
  func verdict(
    seconds: Double,
    ratio: Double,
    bytes: Double?,
    others: [String: Double] = [:],
  ) -> Verdict? {
    switch self {
    case .ratio(let limit, nil): Verdict(unit: .ratio, limit: limit, value: ratio)
    case .ratio(let limit, let name?):
      others[name].map { Verdict(unit: .ratio, to: name, limit: limit, value: ratio / $0) }
    case .seconds(let limit): Verdict(unit: .seconds, limit: limit, value: seconds)
    case .secondsMore(let limit):
      Verdict(unit: .secondsMore, limit: limit, value: seconds - seconds / ratio)
    case .megabytes(let limit):
      Verdict(unit: .megabytes, limit: limit, value: bytes.map { $0 / 1e6 })
    }
  }
}

struct Verdict: Codable, Equatable {
  enum Unit: String, Codable {
    case ratio
    case seconds
    case secondsMore
    case megabytes
  }

  let unit: Unit
  /// The contender that a ratio is to; nil for the first.
  let to: String?
  let limit: Double
  /// The measured value; nil where it could not be measured, and in reports from before it was
  /// kept.
  let value: Double?
  let holds: Bool

  init(unit: Unit, to: String? = nil, limit: Double, value: Double?) {
    (self.unit, self.to, self.limit, self.value) = (unit, to, limit, value)
    holds = value.map { $0 <= limit } ?? false
  }
}
