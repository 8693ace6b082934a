internal import CommandLine

/// The time that rules take, limited so that costly ones do not hold up a fetch.
///
/// All of them together have two seconds, and 20 ms more for each story. Once that is over, each
/// has one millisecond for a story, and one that has had more than its share rests.
struct RuleTimes {
  static let isOver = Failure(
    "too slow: not asked about every story of this run"
  )

  private static let (basis, perStory) = (Duration.seconds(2), Duration.milliseconds(20))
  /// The limits for one story: the usual one, and the one when time is short.
  private static let (longest, moment) = (Duration.milliseconds(100), Duration.milliseconds(1))

  private let now: () -> SuspendingClock.Instant
  private var times: [Duration]
  private var resting: [Bool]
  private var total = Duration.zero
  private var allowed = Self.basis
  /// The rule whose turn it is, and its start; nil where conditions are not rules.
  private var current: (number: Int, start: SuspendingClock.Instant)?

  init(rules count: Int, now: @escaping () -> SuspendingClock.Instant = { SuspendingClock.now }) {
    self.now = now
    times = [Duration](repeating: .zero, count: count)
    resting = [Bool](repeating: false, count: count)
  }

  var areShort: Bool { current != nil && total > allowed }

  mutating func beginStory() { allowed += Self.perStory }

  /// Begins a rule's turn; false for a rule that rests.
  mutating func begin(_ number: Int) -> Bool {
    guard !resting[number] else { return false }
    current = (number, now())
    return true
  }

  /// Ends a rule's turn; true if it rests from now on.
  mutating func end() -> Bool {
    guard let (number, start) = current else { return false }
    let time = start.duration(to: now())
    current = nil
    times[number] += time
    total += time
    resting[number] = total > allowed && times[number] > allowed / times.count
    return resting[number]
  }

  /// Throws for a rule that takes too long for one story.
  func check() throws {
    guard let current else { return }
    let limit = total > allowed ? Self.moment : Self.longest
    if current.start.duration(to: now()) > limit { throw Self.isOver }
  }
}
