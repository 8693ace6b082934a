internal import System

/// The values of one kind of work at several sizes.
struct Growth: Codable, Equatable {
  struct Point: Codable, Equatable {
    let size: Int
    /// Seconds, bytes or instructions.
    let value: Double
  }

  /// The exponent above which work grows faster than its size: more than figures spread.
  static let maximumExponent = 1.1
  /// The share of the base that the largest value has to exceed it by: else the work hardly grows.
  private static let leastShare = 0.3

  let name: String
  /// A small size, which is mostly the start of a process; its value is subtracted from the others.
  let base: Point?
  let points: [Point]
  /// The power of the size that the values beyond the base follow; nil where fewer than two sizes
  /// tell it.
  let exponent: Double?
  let isLinear: Bool

  init(name: String, base: Point? = nil, points: [Point]) {
    self.name = name
    self.base = base
    self.points = points
    exponent = Self.exponent(of: points, beyond: base ?? Point(size: 0, value: 0))
    isLinear = exponent.map { $0 <= Self.maximumExponent } ?? true
  }

  /// Fits a line through the logarithms by least squares.
  ///
  /// Each value weighs its share of the largest: the small ones are mostly noise.
  private static func exponent(of points: [Point], beyond base: Point) -> Double? {
    guard let last = points.last else { return nil }
    if last.value - base.value < base.value * leastShare { return points.count > 1 ? 0 : nil }
    let larger = points.filter { $0.size > base.size && $0.value > base.value }.map { point in
      (
        x: log(Double(point.size - base.size)), y: log(point.value - base.value),
        weight: point.value - base.value,
      )
    }
    let total = larger.map(\.weight).reduce(0, +)
    let middle = (
      x: larger.map { $0.x * $0.weight }.reduce(0, +) / total,
      y: larger.map { $0.y * $0.weight }.reduce(0, +) / total,
    )
    let width = larger.map { $0.weight * ($0.x - middle.x) * ($0.x - middle.x) }.reduce(0, +)
    guard width > 0 else { return nil }
    return larger.map { $0.weight * ($0.x - middle.x) * ($0.y - middle.y) }.reduce(0, +) / width
  }
}
