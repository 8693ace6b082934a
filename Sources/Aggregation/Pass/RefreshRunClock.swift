import System

/// How a run's time is spent: a part of it is kept for saving.
struct RefreshRunClock: Sendable {
  let started = ContinuousClock.now
  /// When the run began, by the clock on the wall.
  let date: Date
  let deadline: Duration?

  var elapsed: Duration { ContinuousClock.now - started }

  /// When the fetch must have ended: a tenth of the time before the deadline, at most a second.
  var fetchDeadline: ContinuousClock.Instant? {
    deadline.map { started + $0 - min(.seconds(1), $0 / 10) }
  }

  /// When the run is given up, saved or not: the deadline, and a moment for the disk.
  var end: ContinuousClock.Instant? {
    deadline.map { started + $0 + .milliseconds(300) }
  }

  /// How long to wait for another writer.
  var timeToLock: Duration {
    guard let deadline else { return .seconds(30) }
    return (deadline - elapsed).clamped(to: .milliseconds(250) ... .seconds(30))
  }
}
