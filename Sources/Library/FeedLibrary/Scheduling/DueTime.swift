package import FeedModel
package import System

package struct DueTime: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The feed was never asked, or only in the future.
    case never
    /// The rhythm of the feed, and the wishes of the feed and its server.
    case rhythm
    /// The feed is due earlier, before an hour in which the user usually begins to read.
    case broughtForward(reading: Date)
    /// The feed is due later, since nobody reads before.
    case putOff(reading: Date?)
  }

  package let date: Date
  package let reason: Reason

  /// The seconds before an hour of reading in which feeds are asked for it, so that the news are
  /// there in time.
  static let lead = 600.0
  /// The divisor of a feed's own wait in hours of reading.
  static let eagerness = 12.0
  /// The factors of a feed's own wait while nobody reads, and in hours in which hardly ever anybody
  /// does.
  ///
  /// They make the wait no longer than half a day, unless the feed's own wait is longer.
  static let tolerance = 1.75
  static let quietTolerance = 8.0
  private static let longestWait = 12 * 3600.0

  /// Returns the time when a feed that works is due, which would be at `rhythm`.
  ///
  /// | now | the feed is due |
  /// |---|---|
  /// | in hours of reading, or just before them | after a twelfth of its wait |
  /// | in other hours | at the next hour of reading, at most after 1.75 times its wait |
  /// | in hours in which hardly anybody looks | the same, at most after eight times its wait |
  ///
  /// It is never due before the server and the feed allow it.
  ///
  /// `rhythm` includes these wishes, and `earliest` follows from them alone. `forecast` is nil if
  /// nothing is known of the user.
  static func due(
    asked: Date,
    rhythm: Date,
    earliest: Date,
    forecast: ReadingForecast?,
  ) -> DueTime {
    guard let forecast else { return DueTime(date: rhythm, reason: .rhythm) }
    let wait = rhythm.timeIntervalSince(asked)
    let eager = max(asked.addingTimeInterval(wait / eagerness), earliest)
    let after = { (tolerance: Double) in
      max(asked.addingTimeInterval(min(wait * tolerance, max(wait, longestWait))), earliest)
    }
    let latest = min(forecast.endOfQuiet(after(tolerance)), after(quietTolerance))
    for reading in forecast.readings {
      let date = max(reading.addingTimeInterval(-lead), eager)
      if date > latest { break }
      guard date < reading.addingTimeInterval(3600) else { continue }
      if date == rhythm { return DueTime(date: date, reason: .rhythm) }
      let reason: Reason =
        date < rhythm ? .broughtForward(reading: reading) : .putOff(reading: reading)
      return DueTime(date: date, reason: reason)
    }
    return DueTime(date: latest, reason: .putOff(reading: nil))
  }
}

extension RefreshMoment {
  /// Returns the time when `fetch --due` would ask a feed without a `Retry-After`.
  ///
  /// A feed that fails waits by its failures, and one with an interval of the user's by that.
  package func due(_ subscription: Subscription) -> DueTime {
    let state = subscription.state
    guard let rhythm = state.nextDue else { return DueTime(date: now, reason: .never) }
    if let asked = state.lastAsked, asked > now { return DueTime(date: now, reason: .never) }
    guard let asked = state.lastAsked, let earliest = state.earliestDue, state.failures == 0,
      subscription.settings.interval == nil
    else { return DueTime(date: rhythm, reason: .rhythm) }
    return .due(asked: asked, rhythm: rhythm, earliest: earliest, forecast: forecast)
  }
}
