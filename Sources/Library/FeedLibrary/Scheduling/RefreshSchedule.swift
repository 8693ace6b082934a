package import FeedFetching
package import FeedModel
package import FeedStorage
package import System

/// The schedule of visits to feeds.
///
/// A visit is due at the greatest of what politeness, the server and the feed ask for, and of the
/// feed's own rhythm: a `max-age` says how long an answer stays good, not how often the feed has
/// news. No request comes early: jitter only adds. All of it is a function of its arguments.
package enum RefreshSchedule {
  package static let floor = Duration.minutes(15)
  /// The floor for servers that send no validators, where each visit costs a whole body.
  static let floorWithoutValidators = Duration.hours(1)
  /// The longest wait, whatever a server or feed says and however many failures are in a row.
  package static let longest = Duration.days(7)
  private static let usual = Duration.hours(1)

  package static func nextDue(after visit: Visit, now: Date) -> Date {
    let fraction = jitterFraction(of: visit.url)
    let wait = visit.failures > 0 ? waitAfterFailure(visit, now: now) : wait(visit, now: now)
    let jitter = min(wait.inSeconds / 10, 1800) * fraction
    var due = now.addingTimeInterval(min(wait.inSeconds + jitter, longest.inSeconds))
    if let retryTime = visit.retryTime { due = max(due, retryTime) }
    due = besideHalfHours(due, jitterFraction: fraction)
    due = skipping(visit.hints, from: due, jitterFraction: fraction)
    return Date(timeIntervalSince1970: due.timeIntervalSince1970.rounded(.up))
  }

  /// Returns the time when the feed would be due if it posted all the time.
  package static func earliestDue(after visit: Visit, now: Date) -> Date {
    var visit = visit
    visit.interval = .zero
    return nextDue(after: visit, now: now)
  }

  package static func nextDue(_ subscription: Subscription) -> Date? {
    let state = subscription.state
    guard state.failures == 0, let asked = state.lastAsked, let earliest = state.earliestDue else {
      return state.nextDue
    }
    var visit = Visit(subscription)
    visit.hasValidators = true
    visit.rhythm = state.rhythm
    return max(nextDue(after: visit, now: asked), earliest)
  }

  /// Returns a number that grows with the news that may wait: the time since the feed was asked by
  /// the time that it usually takes, less if it failed; infinite if it never was asked, or only in
  /// the future.
  package static func urgency(of subscription: Subscription, now: Date) -> Double {
    let state = subscription.state
    guard let asked = state.lastAsked, asked <= now else { return .infinity }
    let rhythm = subscription.settings.interval ?? state.rhythm ?? usual
    return now.timeIntervalSince(asked) / rhythm.inSeconds / Double(1 + state.failures)
  }

  /// Returns the wait by the feed's own rhythm: half the median gap between its newest stories, or
  /// a twentieth of the time since the last one, whichever is more; between 15 minutes and a day.
  ///
  /// It is nil if no story has a date that has passed.
  package static func rhythm(of dates: [Date], now: Date) -> Duration? {
    let passed = dates.filter { $0 <= now }.map(\.timeIntervalSince1970).sorted(by: >)
    var instants: [Double] = []
    for instant in passed where instant != instants.last && instants.count < 20 {
      instants.append(instant)
    }
    guard let newest = instants.first else { return nil }
    let gaps = zip(instants, instants.dropFirst()).map { $0 - $1 }.sorted()
    let median = gaps.isEmpty ? 0 : gaps[gaps.count / 2]
    let silence = now.timeIntervalSince1970 - newest
    return bounded(max(median / 2, silence / 20))
  }

  /// Returns true if all dates are within a minute.
  ///
  /// Some sites date every story by the time when the document was built, which says nothing of
  /// when each was published.
  package static func areOfTheDocument(_ dates: [Date]) -> Bool {
    guard dates.count > 1, let first = dates.min(), let last = dates.max() else { return false }
    return last.timeIntervalSince(first) < 60
  }

  /// Returns the rhythm by what arrives, if dates do not tell: the mean of the former rhythm and
  /// half the time since something last came.
  package static func rhythm(_ rhythm: Duration?, arrivedAfter seconds: Double) -> Duration {
    let latest = bounded(seconds / 2)
    return rhythm.map { ($0 + latest) / 2 } ?? latest
  }

  /// Returns the rhythm of a feed that has not changed since it last came whole; nil if neither is
  /// known.
  package static func rhythm(_ rhythm: Duration?, unchangedSince: Date?, now: Date) -> Duration? {
    guard let unchangedSince else { return rhythm }
    return max(rhythm ?? usual, bounded(now.timeIntervalSince(unchangedSince) / 20))
  }

  private static func bounded(_ seconds: Double) -> Duration {
    .seconds(Int64(min(max(seconds, floor.inSeconds), 86_400)))
  }

  private static func wait(_ visit: Visit, now: Date) -> Duration {
    let floor = visit.hasValidators ? floor : floorWithoutValidators
    return max(floor, asked(by: visit, now: now), visit.interval ?? visit.rhythm ?? usual)
  }

  private static func asked(by visit: Visit, now: Date) -> Duration {
    let intervals = [
      visit.freshness, visit.hints.timeToLive.map { .minutes(min(max($0, 0), 1 << 20)) },
      period(of: visit.hints, now: now),
    ]
    return min(intervals.compactMap(\.self).max() ?? .zero, longest)
  }

  /// Returns the time until the feed's next update by `sy:updatePeriod` and its kin.
  private static func period(of hints: UpdateHints, now: Date) -> Duration? {
    guard let length = hints.updatePeriod else { return nil }
    let interval = length / max(hints.updateFrequency ?? 1, 1)
    guard interval >= floor else { return nil }
    guard let base = hints.updateBase else { return interval }
    let seconds = interval.inSeconds
    let elapsed = now.timeIntervalSince(base).truncatingRemainder(dividingBy: seconds)
    return .seconds(elapsed < 0 ? -elapsed : seconds - elapsed)
  }

  /// Returns the wait after failures.
  ///
  /// Answers that a person has to mend start at an hour; what may be no fault of the feed makes it
  /// wait no longer than a success would.
  private static func waitAfterFailure(_ visit: Visit, now: Date) -> Duration {
    let isClientError = visit.status.map { (400..<500).contains($0) && $0 != 408 && $0 != 429 }
    let first = isClientError == true ? Duration.hours(1) : floor
    var backOff = first * (1 << min(visit.failures - 1, 10))
    if visit.mayBeOffline { backOff = min(backOff, wait(visit, now: now)) }
    var hinted = visit
    hinted.freshness = nil
    return min(max(backOff, asked(by: hinted, now: now)), longest)
  }

  /// Moves a visit at a full or half hour to some minutes later: that is when all timers run.
  private static func besideHalfHours(_ due: Date, jitterFraction: Double) -> Date {
    let half = 1800.0
    let nearest = (due.timeIntervalSince1970 / half).rounded() * half
    guard abs(due.timeIntervalSince1970 - nearest) < 60 else { return due }
    return Date(timeIntervalSince1970: nearest + 60 + 240 * jitterFraction)
  }

  /// Returns the first instant from `due` on that is in no hour and on no day to be skipped (UTC).
  ///
  /// A feed that skips all hours or all days has made a mistake, and is not believed.
  fileprivate static func skipping(
    _ hints: UpdateHints,
    from due: Date,
    jitterFraction: Double,
  ) -> Date {
    let hours = hints.skipHours.count < 24 ? hints.skipHours : []
    let days = hints.skipDays.count < 7 ? hints.skipDays : []
    guard !hours.isEmpty || !days.isEmpty else { return due }
    var hour = Int((due.timeIntervalSince1970 / 3600).rounded(.down))
    let first = hour
    while hour - first < 7 * 24,
      hours.contains(hour % 24) || days.contains(CivilDate.weekday(ofDay: hour / 24))
    {
      hour += 1
    }
    guard hour != first else { return due }
    return Date(timeIntervalSince1970: Double(hour) * 3600 + 60 + 600 * jitterFraction)
  }

  /// Returns a number from 0 up to 1, the same for a URL every time (FNV-1a, 64 bits).
  package static func jitterFraction(of url: String) -> Double {
    let hash = FNV1a.hash(url)
    return Double((hash ^ hash >> 29) % 10_000) / 10_000
  }
}

/// A moment at which it is decided which feeds are to be asked.
package struct RefreshMoment: Sendable {
  package let now: Date
  /// The times until which servers want to be left in peace.
  let retryTimes: [String: RetryTime]
  /// Nil if nothing is known of the user.
  let forecast: ReadingForecast?

  package init(
    _ now: Date,
    _ retryTimes: [String: RetryTime],
    forecast: ReadingForecast? = nil,
  ) {
    (self.now, self.retryTimes, self.forecast) = (now, retryTimes, forecast)
  }

  /// Returns true if `fetch --due` asks this feed now.
  ///
  /// A record from the future (the clock was wrong) does not silence a feed.
  package func isDue(_ subscription: Subscription) -> Bool {
    let state = subscription.state
    guard !state.isGone, !subscription.isNeverAsked, !subscription.settings.isPaused(at: now),
      retryTime(of: subscription.url) == nil
    else { return false }
    let due = due(subscription)
    if due.reason == .never { return true }
    // A timer comes when it comes: an hour that is to be skipped may have begun since.
    guard skipping(state.hints, from: now) == now else { return false }
    let latest = now.addingTimeInterval(RefreshSchedule.longest.inSeconds + 2 * 86_400)
    return due.date <= now || due.date > latest
  }

  /// Returns the time when `fetch --due` asks the feed next: `now` if it is due, nil for a feed
  /// that is gone or paused for good.
  package func next(_ subscription: Subscription) -> Date? {
    let state = subscription.state
    if state.isGone || subscription.isNeverAsked { return nil }
    if isDue(subscription) { return now }
    let retryTime = retryTime(of: subscription.url)
    let paused = subscription.settings.isPaused(at: now) ? subscription.settings.pausedUntil : nil
    if paused == 0 { return nil }
    let resumed = paused.map { Date(timeIntervalSince1970: Double($0)) } ?? now
    let earliest = max(now, due(subscription).date, retryTime?.until ?? now, resumed)
    return skipping(state.hints, from: earliest)
  }

  private func skipping(_ hints: UpdateHints, from due: Date) -> Date {
    RefreshSchedule.skipping(hints, from: due, jitterFraction: 0)
  }

  /// Returns the time from which a server lets a feed be asked again; nil if it may be asked now.
  package func retryTime(of url: String) -> RetryTime? {
    guard !retryTimes.isEmpty else { return nil }
    return [url, WebURL.origin(of: url)].compactMap { $0.flatMap { retryTimes[$0] } }
      .filter(isInForce).max { $0.until < $1.until }
  }

  /// False for a time later than any that is granted: it was set when the clock was wrong.
  private func isInForce(_ retryTime: RetryTime) -> Bool {
    retryTime.until > now && retryTime.until <= now.addingTimeInterval(RetryAfter.maximumDelay + 60)
  }

  /// The servers to leave in peace, in the form of `FetchOptions.stoppedServers`.
  package var stoppedServers: [String: FetchError] {
    var stopped: [String: FetchError] = [:]
    for (key, retryTime) in retryTimes where isInForce(retryTime) {
      let isOwn = key == retryTime.server
      // One feed of that server waits by its own URL (`retryTime(of:)`), and its neighbours do not.
      guard let origin = WebURL.origin(of: key), isOwn || origin != retryTime.server else {
        continue
      }
      let name = isOwn ? key : "\(origin) \(retryTime.server)"
      stopped[name] = .hostBusy(status: retryTime.status, retryAfter: .instant(retryTime.until))
    }
    return stopped
  }
}

package struct Visit: Hashable, Sendable {
  /// The subscription's URL, which seeds the jitter.
  var url: String
  package var hasValidators = false
  /// The time for which the answer stays fresh (`max-age` or `Expires`, less `Age`); nil if not
  /// said.
  package var freshness: Duration?
  package var hints = UpdateHints()
  package var rhythm: Duration?
  var interval: Duration?
  package var retryTime: Date?
  /// Failures in a row, this one included; 0 after a success.
  package var failures = 0
  package var mayBeOffline = false
  package var status: Int?
}

extension Visit {
  package init(_ subscription: Subscription) {
    self.init(url: subscription.url, interval: subscription.settings.interval)
  }
}

extension Duration {
  static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
  static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
  static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

  package var inSeconds: Double {
    self / .seconds(1)
  }
}

extension Subscription {
  /// Sets the settings, and the next due time if the interval has changed.
  package mutating func apply(_ new: FeedSettings) {
    let isOtherInterval = new.interval != settings.interval
    settings = new
    if isOtherInterval { state.nextDue = RefreshSchedule.nextDue(self) }
  }
}
