package import FeedFetching
package import FeedModel
package import FeedStorage
package import System

/// Asks feeds, and stores what comes back.
///
/// The library is read once without a lock, to know whom to ask. What comes is decided upon under
/// the lock, against the library as it is then: another process may have saved meanwhile.
package struct Refresher: Sendable {
  let store: LibraryStore
  let fetcher: any FeedFetcher
  private(set) var fetchOptions: FetchOptions
  let now: @Sendable () -> Date
  let rules: Result<StoryRules?, StorageError>
  /// What some feeds have answered just now, by their URLs: these are not asked.
  let answers: [String: FetchedDocument]

  /// The deadline in `fetchOptions` does not count: it is the run's.
  ///
  /// Without rules that can be read nobody is asked: nothing is stored that one of them might keep
  /// away.
  package init(
    store: LibraryStore,
    fetcher: any FeedFetcher,
    fetchOptions: FetchOptions = FetchOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
    rules: Result<StoryRules?, StorageError> = .success(nil),
    answers: [String: FetchedDocument] = [:],
  ) {
    self.store = store
    self.fetcher = fetcher
    self.fetchOptions = fetchOptions
    self.now = now
    self.rules = rules
    self.answers = answers
  }

  /// Carries out a run; what goes wrong is in the report.
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
    do throws(StorageError) {
      _ = try rules.get()
      let library = try store.read()
      let plan = RefreshPlan(
        library.subscriptions,
        options: options,
        retryTimes: library.retryTimes,
        now: clock.date,
      )
      if !plan.feeds.isEmpty { turn?.noteHolder() }
      var refresher = self
      if !options.isForced {
        let stopped = RefreshSchedule.stoppedServers(library.retryTimes, now: clock.date)
        refresher.fetchOptions.stoppedServers = stopped
      }
      let pass = RefreshPass(plan, options, of: refresher, clock, cancellation, progress)
      return refresher.watched(pass, clock) {
        var report = pass.perform()
        report.complete(plan, library.subscriptions, isOnlyDue: options.onlyDue)
        report.wasInterrupted = cancellation.isCancelled
        if report.asked == 0, report.wasInterrupted { report.outcome = .failed }
        report.seconds = clock.elapsed.inSeconds
        if report.isWorthRecording { record(&report, options, clock) }
        return report
      }
    } catch {
      var report = RefreshReport()
      report.storageError = error.description
      report.outcome = .failed
      report.wasInterrupted = cancellation.isCancelled
      report.seconds = clock.elapsed.inSeconds
      record(&report, options, clock)
      return report
    }
  }

  /// A disk that does not answer keeps no run past its deadline: the pass has a thread of its own.
  ///
  /// Whatever that is about when the process ends, the store is as safe as from a kill.
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
    do throws(StorageError) {
      try store.append(RunRecord(report, command: options.command, started: clock.date))
    } catch {
      if report.storageError == nil { report.warnings.append(error.description) }
    }
  }
}

/// What a run of `refresh` or `fetch` was asked to do.
package struct RefreshOptions: Hashable, Sendable {
  /// The URLs of the subscriptions to ask, those that are gone included; nil asks all but the gone.
  package var feeds: [String]?
  /// Sends no validators, so that every feed comes whole, and stores all of it even if the last
  /// body comes again.
  package var isForced = false
  package var onlyDue = false
  /// Has feeds that are due wait some minutes for others that will be.
  package var gathersDue = false
  /// Stores stories' whole texts too.
  package var keepsTexts = true
  /// When the reader will look (`DueTime`); nil when nobody knows.
  package var forecast: ReadingForecast?
  /// Asks nobody while another run asks all feeds.
  package var givesWay = false
  /// Bounds the run, from its start until everything is saved; nil does not.
  package var deadline: Duration?
  /// What has arrived is saved at least so often, unless saving takes long.
  package var savingInterval = Duration.seconds(5)
  /// Stories kept of each feed that it no longer carries; 0 keeps all, nil as many as its settings
  /// say, or else 200.
  package var keep: Int?
  /// Bytes of one document; nil as many as the feed's settings say, or else `FetchOptions`.
  package var maximumBytes: Int?
  /// The command as the record of runs names it, such as `fetch`.
  package var command: String

  package init(command: String) {
    self.command = command
  }
}

/// How far a run is, for the line that a terminal shows meanwhile.
package struct RefreshProgress: Hashable, Sendable {
  /// Feeds that have answered or failed.
  package var done: Int
  package var total: Int
  package var stories: Int
  /// Up to four of the hosts that are being asked now, in alphabetical order.
  package var hosts: [String]
  package var seconds: Double
  /// Whether it is stories' pages that are asked for, and not feeds.
  package var isOfPages = false

  package init(done: Int, total: Int, stories: Int, hosts: [String], seconds: Double) {
    self.done = done
    self.total = total
    self.stories = stories
    self.hosts = hosts
    self.seconds = seconds
  }
}

extension RefreshReport {
  /// A run that asked nobody has changed nothing, and nothing is written for it.
  fileprivate var isWorthRecording: Bool {
    subscribed > 0 && (asked > 0 || outcome == .failed || storageError != nil)
  }
}

extension RunRecord {
  fileprivate init(_ report: RefreshReport, command: String, started: Date) {
    self.init(started: started, command: command, outcome: report.outcome)
    asked = report.asked
    failed = report.failed
    (new, changed) = (report.new, report.changed)
    stored = report.stored
    seconds = report.seconds
    left = report.left
    isOnlyDue = report.isOnlyDue
    requests = report.feeds.map(\.requests).reduce(0, +)
    bytes = report.feeds.map(\.bytes).reduce(0, +)
    let saved = report.feeds.compactMap(\.savedBytes)
    (unchanged, savedBytes) = (saved.count, saved.reduce(0, +))
  }
}

/// How a run's time is spent: a part of it is kept for saving.
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

  /// When the fetch must have ended: a tenth of the time before the deadline, at most a second.
  package var fetchDeadline: ContinuousClock.Instant? {
    deadline.map { started + $0 - min(.seconds(1), $0 / 10) }
  }

  /// When the run is given up, saved or not: the deadline, and a moment for the disk.
  var end: ContinuousClock.Instant? {
    deadline.map { started + $0 + .milliseconds(300) }
  }

  package var timeToLock: Duration {
    guard let deadline else { return .seconds(30) }
    return min(max(deadline - elapsed, .milliseconds(250)), .seconds(30))
  }

  /// Does what comes behind a run, while no other run is at work and there is time left; nil when it
  /// was not done, or has not ended in time.
  package func inTurn<R: Sendable>(
    of store: LibraryStore,
    _ work: @escaping @Sendable () throws(StorageError) -> R,
  ) throws(StorageError) -> R? {
    guard fetchDeadline.map({ .now < $0 }) ?? true else { return nil }
    let result = watched { () -> Result<R?, StorageError> in
      Result { () throws(StorageError) in
        let turn = store.takeTurn()
        defer { turn.end() }
        return turn.isTaken ? nil : try work()
      }
    }
    return try result?.get() ?? nil
  }

  /// Does work on a thread of its own, where there is a deadline; nil when it has not ended by then.
  func watched<R: Sendable>(_ work: @escaping @Sendable () -> R) -> R? {
    guard let end else { return work() }
    let task = BackgroundTask(work)
    task.wait(until: end)
    return task.value
  }
}
