import Testing

@testable import NewsBenchmark

@Suite("A ratio is that of rounds, not of speeds that a machine had at different times")
struct RatioTests {
  @Test("Three rounds on a slow machine, two on a fast one, in whichever of them a round is odd")
  func changingSpeed() {
    let result = ContestResult(
      name: "work",
      figures: [
        Figure(name: "base", samples: [2, 2, 1, 1, 1]),
        Figure(name: "news", samples: [3, 3, 3, 1.5, 1.4]),
      ],
    )
    #expect(result.ratios == [1, 1.5])
  }

  @Test("No work at all takes as much as itself")
  func first() {
    let figures = [Figure(name: "base", samples: [0.2, 0.1, 0.3])]
    #expect(ContestResult(name: "work", figures: figures).ratios == [1])
  }
}
