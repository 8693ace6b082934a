internal import TestSupport

/// The growth of processor time and memory at five sizes, each twice the one before.
///
/// A smaller size is subtracted. The sizes take turns, and the least of several rounds counts: the
/// other work of a machine only adds to it.
struct GrowthBenchmark {
  let rounds: Int
  let folder: String
  let only: String?
  /// True for instructions under callgrind, at an eighth of the sizes, in place of time and memory.
  let countsInstructions: Bool

  private static let smallerForCounting = 8

  func run(_ show: ([String]) -> Void) throws -> [Growth] {
    show(Table.growthHead)
    var all: [Growth] = []
    for work in try works() where only.map(work.name.contains) ?? true {
      for (growth, value) in try measure(work) {
        show([Table.row(of: growth, showing: value)])
        all.append(growth)
      }
    }
    return all
  }

  private typealias Row = (growth: Growth, showing: (Double) -> String)

  private func works() throws -> [GrowthWork] {
    let news = try BuiltProduct.path("news")
    return try GrowthDocuments(news: news, folder: folder).works
      + GrowthStories(news: news, folder: folder).works
      + GrowthFeeds(news: news, folder: folder).works()
      + FixedWork.growing(BuiltProduct.path("NewsBenchmark"))
  }

  private func measure(_ work: GrowthWork) throws -> [Row] {
    guard !countsInstructions else {
      let count = try InstructionCount(folder: folder)
      let growth = try growth(of: work, "instructions", by: Self.smallerForCounting, rounds: 1) {
        try count.instructions(of: $0)
      }
      return [(growth, { Table.fixed($0 / 1e6, 1) + " M" })]
    }
    return [
      (try growth(of: work, "time", rounds: rounds) { try $0.seconds() }, Table.time),
      (
        try growth(of: work, "memory", rounds: 2) { try $0.bytes() },
        { Table.fixed($0 / 1e6, 1) + " MB" },
      ),
    ]
  }

  private func growth(
    of work: GrowthWork,
    _ quantity: String,
    by share: Int = 1,
    rounds: Int,
    _ value: (PreparedWork) throws -> Double,
  ) throws -> Growth {
    let sizes = [work.base(by: share)] + work.sizes(by: share)
    let prepared = try sizes.map(work.prepared)
    var least = sizes.map { _ in Double.infinity }
    for _ in 0..<rounds {
      for (index, work) in prepared.enumerated() {
        least[index] = min(least[index], try value(work))
      }
    }
    let points = zip(sizes, least).map { Growth.Point(size: $0, value: $1) }
    return Growth(
      name: "\(work.name): \(quantity)",
      base: points[0],
      points: Array(points.dropFirst()),
    )
  }
}
