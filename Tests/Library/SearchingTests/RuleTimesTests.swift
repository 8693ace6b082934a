import Testing

@testable import Searching

@Suite("Rules that take too long rest, and the others go on")
struct RuleTimesTests {
  private final class Clock {
    var now = SuspendingClock.now
  }

  @Test("as soon as all have had their time, those that have had more than their part rest")
  func rest() {
    let clock = Clock()
    var times = RuleTimes(rules: 4) { clock.now }
    var asked = [0, 0, 0, 0]
    var rested: [Int] = []
    for _ in 0..<100 {
      times.beginStory()
      for number in 0..<4 where times.begin(number) {
        asked[number] += 1
        clock.now += number == 1 ? .milliseconds(90) : .microseconds(10)
        if times.end() { rested.append(number) }
      }
    }
    #expect(rested == [1] && asked[1] < 40)
    #expect(asked[0] == 100 && asked[2] == 100 && asked[3] == 100)
  }

  @Test("a rule ends its turn where it takes too long for one story, sooner where time is short")
  func turn() {
    let clock = Clock()
    var times = RuleTimes(rules: 2) { clock.now }
    times.beginStory()
    _ = times.begin(0)
    clock.now += .milliseconds(99)
    #expect(throws: Never.self) { try times.check() }
    clock.now += .milliseconds(2)
    #expect(throws: RuleTimes.isOver) { try times.check() }
    clock.now += .seconds(3)
    let (isResting, isAsked) = (times.end(), times.begin(0))
    #expect(isResting && !isAsked)
    _ = times.begin(1)
    #expect(times.areShort)
    clock.now += .milliseconds(2)
    #expect(throws: RuleTimes.isOver) { try times.check() }
    _ = times.end()
    // Work other than that of rules may take any time.
    clock.now += .seconds(9)
    #expect(throws: Never.self) { try times.check() }
  }
}
