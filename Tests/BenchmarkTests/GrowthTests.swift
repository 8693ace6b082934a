import Testing

@testable import NewsBenchmark

@Suite("How work grows is told by the exponent of its size")
struct GrowthTests {
  private static let sizes = [100, 200, 400, 800, 1_600]

  @Test(
    "A power of the size is found, whatever it's multiplied by",
    arguments: [(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0)],
  )
  func powers(power: Int, exponent: Double) throws {
    let growth = growth { size in
      (0..<power).reduce(0.001) { value, _ in value * Double(size) }
    }
    #expect(abs(try #require(growth.exponent) - exponent) < 1e-9)
    #expect(growth.isLinear == (power < 2))
  }

  @Test("Work that costs something before it begins grows by less than its size")
  func start() throws {
    let growth = growth { 500 + Double($0) }
    let exponent = try #require(growth.exponent)
    #expect(exponent > 0.3 && exponent < 0.9)
    #expect(growth.isLinear)
  }

  @Test("What a small size takes hides nothing of how the others grow", arguments: [1, 2])
  func base(power: Int) throws {
    let value = { (size: Int) in
      5_000 + (0..<power).reduce(1.0) { value, _ in value * Double(size) }
    }
    let growth = growth(base: .init(size: 1, value: value(1)), value)
    #expect(abs(try #require(growth.exponent) - Double(power)) < 0.02)
    #expect(growth.isLinear == (power == 1))
  }

  @Test("What hardly takes more than a small size doesn't grow, whatever the figures spread")
  func flat() {
    let growth = growth(base: .init(size: 10, value: 100)) { $0 == 1_600 ? 120 : 100.5 }
    #expect(growth.exponent == 0)
  }

  @Test("A small size that is off hardly counts")
  func smallNoise() throws {
    let growth = growth(base: .init(size: 25, value: 1_000)) { size in
      1_000 + Double(size) * (size == 100 ? 0.1 : 1)
    }
    #expect(growth.isLinear)
  }

  @Test("One figure that is off by a tenth isn't taken for more than linear growth")
  func noise() {
    #expect(growth { Double($0) * ($0 == 1_600 ? 1.1 : 1) }.isLinear)
  }

  @Test("One size alone tells nothing")
  func single() {
    #expect(Growth(name: "parse", points: [.init(size: 1, value: 1)]).exponent == nil)
  }

  private func growth(base: Growth.Point? = nil, _ value: (Int) -> Double) -> Growth {
    let points = Self.sizes.map { Growth.Point(size: $0, value: value($0)) }
    return Growth(name: "parse", base: base, points: points)
  }
}
