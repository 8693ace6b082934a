import TestSupport
import Testing

@testable import FeedUpdating

@Suite("Why a run was not saved by its deadline")
struct SavingStepsTests {
  private let start = ContinuousClock.now

  private func steps(_ steps: (SavingSteps.Step, at: Double)...) -> SavingSteps {
    var all = SavingSteps()
    for (step, second) in steps { all.begin(step, at: start + .seconds(second)) }
    return all
  }

  private func reason(
    _ steps: SavingSteps,
    at second: Double,
    writer: Int32? = nil,
    stories: Int = 250_000,
    feeds: Int = 2,
  ) -> String {
    let now = start + .seconds(second)
    return steps.reason(at: now, writer: writer, stories: stories, feeds: feeds)
  }

  private let lockOrDisk = "another program holds the store, or the disk is too slow"

  @Test("stories that take long to merge are told, also when they are written at last")
  func amount() {
    let merging = steps((.asking, 0), (.waiting, 2), (.merging, 3))
    #expect(reason(merging, at: 30) == "250000 stories of 2 feeds could not be merged in time")
    var writing = merging
    writing.begin(.writing, at: start + .seconds(28))
    #expect(reason(writing, at: 30) == "250000 stories of 2 feeds could not be merged in time")
    #expect(
      reason(writing, at: 30, stories: 1, feeds: 1)
        == "1 story of 1 feed could not be merged in time"
    )
  }

  @Test("what is still being read is told as that")
  func reading() {
    let asking = steps((.waiting, 0), (.merging, 1), (.writing, 1), (.asking, 2))
    #expect(
      reason(asking, at: 3, stories: 0, feeds: 0)
        == "what the feeds answered could not be read in time"
    )
    #expect(
      reason(asking, at: 3, stories: 2) == "2 stories of 2 feeds could not be merged in time"
    )
  }

  @Test("another program that holds the store is told of with its process")
  func lock() {
    let waiting = steps((.asking, 0), (.waiting, 2))
    #expect(reason(waiting, at: 30) == lockOrDisk)
    #expect(
      reason(waiting, at: 30, writer: 0) == "another program holds the store (process 0)"
    )
    #expect(reason(waiting, at: 30, writer: getpid()) == "the disk is too slow")
    // The other process has let go of the lock, but too late.
    let merging = steps((.waiting, 0), (.merging, 20))
    #expect(reason(merging, at: 30, writer: getpid()) == lockOrDisk)
  }

  @Test("a disk that takes long is told of")
  func disk() {
    let writing = steps((.waiting, 0), (.merging, 1), (.writing, 2))
    #expect(reason(writing, at: 30, writer: getpid()) == "the disk is too slow")
  }
}
