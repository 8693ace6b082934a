internal import FeedStorage

/// How long rules take, so that whoever brings costly ones does not hold up a fetch.
///
/// All of them together have two seconds, and 20 ms more for each story. Once that is over, each has but
/// a moment for a story, and one that has had more than its part of all rests.
struct RuleTimes {
  /// Why a rule says nothing of a story.
  static let isOver = StorageError.refused(
    "too slow: not asked about every story of this run"
  )

  private static let (basis, perStory) = (Duration.seconds(2), Duration.milliseconds(20))
  /// For one story: usually, and once there is little time.
  private static let (longest, moment) = (Duration.milliseconds(100), Duration.milliseconds(1))

  private let now: () -> SuspendingClock.Instant
  private var times: [Duration]
  private var resting: [Bool]
  private var total = Duration.zero
  private var allowed = Self.basis
  /// The rule that is at its turn, and since when; nil where it is no rule.
  private var current: (number: Int, start: SuspendingClock.Instant)?

  init(rules count: Int, now: @escaping () -> SuspendingClock.Instant = { SuspendingClock.now }) {
    self.now = now
    times = [Duration](repeating: .zero, count: count)
    resting = [Bool](repeating: false, count: count)
  }

  /// Whether there is little time.
  var areShort: Bool { current != nil && total > allowed }

  mutating func beginStory() { allowed += Self.perStory }

  /// Whether a rule is to be asked, which begins with that.
  mutating func begin(_ number: Int) -> Bool {
    guard !resting[number] else { return false }
    current = (number, now())
    return true
  }

  /// Ends the turn of a rule.
  ///
  /// - Returns: whether it rests from now on.
  mutating func end() -> Bool {
    guard let (number, start) = current else { return false }
    let time = start.duration(to: now())
    current = nil
    times[number] += time
    total += time
    resting[number] = total > allowed && times[number] > allowed / times.count
    return resting[number]
  }

  /// Ends the turn of a rule that takes too long for one story.
  func check() throws(StorageError) {
    guard let current else { return }
    let limit = total > allowed ? Self.moment : Self.longest
    if current.start.duration(to: now()) > limit { throw Self.isOver }
  }
}
