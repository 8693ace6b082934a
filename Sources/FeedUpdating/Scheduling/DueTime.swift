package import FeedModel
package import System

/// When a feed is due, and what makes it then.
package struct DueTime: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// It was never asked, or only in the future.
    case never
    /// By what it posts, and what it and its server ask for.
    case rhythm
    /// Before the reader looks, who usually does from then on.
    case broughtForward(reading: Date)
    /// Nobody looks until then.
    case putOff(reading: Date?)
  }

  package let date: Date
  package let reason: Reason

  /// Reading times begin so long before their hour: what is asked then is there when the reader looks.
  static let lead = 600.0
  /// While the reader looks, a feed waits for a twelfth of its own time.
  static let eagerness = 12.0
  /// While nobody looks, it waits for its own time and three quarters, in hours in which hardly ever
  /// anybody does for eight times its own, but no longer than half a day because of that.
  static let tolerance = 1.75
  static let quietTolerance = 8.0
  private static let longestWait = 12 * 3600.0

  /// When a feed that works is due, which would be at `rhythm`.
  ///
  /// In the reader's hours, and just before them, it is due after a twelfth of its own time; else it
  /// waits for the next of them, but no longer than its own time and three quarters, or eight times its own
  /// in hours in which hardly ever anybody looks: by then it has posted a few stories. What its server and the
  /// feed itself ask for always holds.
  ///
  /// `rhythm` holds what is asked for, too, and `earliest` is when it would be due by that alone;
  /// `forecast` is nil when nothing is known of the reader.
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

extension RefreshSchedule {
  /// When `fetch --due` would ask a feed that nobody wants to be left in peace.
  ///
  /// One that fails waits by its failures, and one whose reader has said how often it is to be asked, by
  /// that.
  package static func due(
    _ subscription: Subscription,
    forecast: ReadingForecast?,
    now: Date,
  ) -> DueTime {
    let state = subscription.state
    guard let rhythm = state.nextDue else { return DueTime(date: now, reason: .never) }
    if let asked = state.lastAsked, asked > now { return DueTime(date: now, reason: .never) }
    guard let asked = state.lastAsked, let earliest = state.earliestDue, state.failures == 0,
      subscription.settings.interval == nil
    else { return DueTime(date: rhythm, reason: .rhythm) }
    return .due(asked: asked, rhythm: rhythm, earliest: earliest, forecast: forecast)
  }
}
