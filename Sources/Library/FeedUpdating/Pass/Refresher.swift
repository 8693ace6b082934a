package import FeedFetching
import FeedLibrary
package import FeedModel
package import FeedStorage
package import System

/// Asks feeds, and stores their answers.
///
/// The library is read once without a lock, to know whom to ask. The answers are decided upon under
/// the lock, against the library as it is then: another process may have saved meanwhile.
package struct Refresher: Sendable {
  let store: LibraryStore
  let fetcher: any FeedFetcher
  private(set) var fetchOptions: FetchOptions
  let now: @Sendable () -> Date
  let rules: Result<StoryRules?, any Error>
  /// Answers that came just before, by URL; these feeds are not asked.
  let answers: [String: FetchedDocument]

  /// Makes a refresher; a run replaces the deadline of `fetchOptions` by its own.
  ///
  /// If the rules cannot be read, nobody is asked, so that no story is stored that one of them
  /// might keep away.
  package init(
    store: LibraryStore,
    fetcher: any FeedFetcher,
    fetchOptions: FetchOptions = FetchOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
    rules: Result<StoryRules?, any Error> = .success(nil),
    answers: [String: FetchedDocument] = [:],
  ) {
    self.store = store
    self.fetcher = fetcher
    self.fetchOptions = fetchOptions
    self.now = now
    self.rules = rules
    self.answers = answers
  }

  /// Performs a run; errors are in the report.
  ///
  /// A cancellation ends the fetch, and what has arrived is stored. `progress` is called on the
  /// threads of the fetch, never twice at a time.
  package func run(
    _ options: RefreshOptions,
    cancellation: FetchCancellation = FetchCancellation(),
    progress: (@Sendable (RefreshProgress) -> Void)? = nil,
  ) -> RefreshReport {
    let clock = RefreshRunClock(date: now(), deadline: options.deadline)
    let turn = options.feeds == nil ? store.takeTurn() : nil
    defer { turn?.end() }
    if let turn, turn.isTaken, options.givesWay { return RefreshReport(givingWayTo: turn, clock) }
    do {
      _ = try rules.get()
      let library = try store.read()
      let moment = RefreshMoment(clock.date, library.retryTimes, forecast: options.forecast)
      let plan = RefreshPlan(library.subscriptions, options, at: moment)
      if !plan.feeds.isEmpty { turn?.noteHolder() }
      var refresher = self
      if !options.isForced { refresher.fetchOptions.stoppedServers = moment.stoppedServers }
      let pass = RefreshPass(plan, options, of: refresher, clock, cancellation, progress)
      return refresher.watched(pass, clock) {
        var report = pass.perform()
        report.complete(plan, library.feeds, isOnlyDue: options.onlyDue, now: clock.date)
        report.wasInterrupted = cancellation.isCancelled
        if report.asked == 0, report.wasInterrupted { report.outcome = .failed }
        report.seconds = clock.elapsed.inSeconds
        if report.isWorthRecording { record(&report, options, clock) }
        return report
      }
    } catch {
      var report = RefreshReport()
      report.storageError = "\(error)"
      report.outcome = .failed
      report.wasInterrupted = cancellation.isCancelled
      report.seconds = clock.elapsed.inSeconds
      record(&report, options, clock)
      return report
    }
  }

  /// Performs the pass on a thread of its own, so that a disk that does not answer keeps no run
  /// past its deadline.
  ///
  /// If the process ends meanwhile, the store is as safe as from a kill.
  private func watched(
    _ pass: RefreshPass,
    _ clock: RefreshRunClock,
    _ perform: @escaping @Sendable () -> RefreshReport,
  ) -> RefreshReport {
    if let report = clock.watched(perform) { return report }
    var report = pass.abandon()
    report.seconds = clock.elapsed.inSeconds
    return report
  }

  private func record(
    _ report: inout RefreshReport,
    _ options: RefreshOptions,
    _ clock: RefreshRunClock,
  ) {
    do {
      (report.started, report.command) = (clock.date, options.command)
      try store.append(report.record)
    } catch {
      if report.storageError == nil { report.warnings.append("\(error)") }
    }
  }
}

package struct RefreshOptions: Hashable, Sendable {
  /// The URLs of the subscriptions to ask, gone ones included; nil asks all but the gone.
  package var feeds: [String]?
  /// True to send no validators, so that every feed comes whole, and to store it even if the last
  /// body comes again.
  package var isForced = false
  package var onlyDue = false
  package var gathersDue = false
  package var keepsTexts = true
  /// The reading times of the user (`DueTime`); nil if unknown.
  package var forecast: ReadingForecast?
  package var givesWay = false
  /// The time from the run's start until everything is saved; nil for no limit.
  package var deadline: Duration?
  /// The longest time between saves, unless saving takes long.
  package var savingInterval = Duration.seconds(5)
  /// The number of stories kept that a feed no longer carries: 0 keeps all, nil uses the feed's
  /// settings, or else 200.
  package var keep: Int?
  /// The most bytes of one document; nil uses the feed's settings, or else `FetchOptions`.
  package var maximumBytes: Int?
  package var command: String

  package init(command: String) {
    self.command = command
  }
}

extension RefreshReport {
  /// False for a run that asked nobody: it has changed nothing.
  fileprivate var isWorthRecording: Bool {
    subscribed > 0 && (record.asked > 0 || record.outcome == .failed || storageError != nil)
  }
}

package struct RefreshRunClock: Sendable {
  let started: ContinuousClock.Instant
  package let date: Date
  private let deadline: Duration?

  package init(date: Date, deadline: Duration?, started: ContinuousClock.Instant = .now) {
    self.started = started
    self.date = date
    self.deadline = deadline
  }

  var elapsed: Duration { ContinuousClock.now - started }

  /// The end of the fetch: a tenth of the time before the deadline, at most a second.
  package var fetchDeadline: ContinuousClock.Instant? {
    deadline.map { started + $0 - min(.seconds(1), $0 / 10) }
  }

  /// The time at which the run is given up, saved or not: the deadline, and a moment for the disk.
  var end: ContinuousClock.Instant? {
    deadline.map { started + $0 + .milliseconds(300) }
  }

  package var timeToLock: Duration {
    guard let deadline else { return .seconds(30) }
    return min(max(deadline - elapsed, .milliseconds(250)), .seconds(30))
  }

  /// Performs work behind a run if no other run is active and there is time left; returns nil if it
  /// was not done, or has not ended in time.
  package func inTurn<R: Sendable>(
    of store: LibraryStore,
    _ work: @escaping @Sendable () throws -> R,
  ) throws -> R? {
    guard fetchDeadline.map({ .now < $0 }) ?? true else { return nil }
    let result = watched { () -> Result<R?, any Error> in
      Result {
        let turn = store.takeTurn()
        defer { turn.end() }
        return turn.isTaken ? nil : try work()
      }
    }
    return try result?.get() ?? nil
  }

  /// Performs work on a thread of its own if there is a deadline; returns nil if it has not ended
  /// by then.
  func watched<R: Sendable>(_ work: @escaping @Sendable () -> R) -> R? {
    guard let end else { return work() }
    let task = BackgroundTask(work)
    task.wait(until: end)
    return task.value
  }
}
