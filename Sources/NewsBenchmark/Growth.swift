#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What one kind of work takes at several sizes.
struct Growth: Codable, Equatable {
  struct Point: Codable, Equatable {
    let size: Int
    /// Seconds or bytes.
    let value: Double
  }

  /// Above it, what takes twice the size takes more than twice: beyond what figures spread.
  static let maximumExponent = 1.1

  let name: String
  let points: [Point]
  /// Of the power of the size that the values follow; nil where fewer than two sizes tell it.
  let exponent: Double?
  let isLinear: Bool

  init(name: String, points: [Point]) {
    self.name = name
    self.points = points
    exponent = Self.exponent(of: points)
    isLinear = exponent.map { $0 <= Self.maximumExponent } ?? true
  }

  /// The slope of the line through the logarithms that is nearest to them by least squares.
  private static func exponent(of points: [Point]) -> Double? {
    let places = points.map { (x: log(Double($0.size)), y: log($0.value)) }
    let count = Double(places.count)
    let middle = (
      x: places.map(\.x).reduce(0, +) / count, y: places.map(\.y).reduce(0, +) / count,
    )
    let width = places.map { ($0.x - middle.x) * ($0.x - middle.x) }.reduce(0, +)
    guard width > 0 else { return nil }
    return places.map { ($0.x - middle.x) * ($0.y - middle.y) }.reduce(0, +) / width
  }
}
