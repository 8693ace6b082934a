package import FeedFetching
import FeedModel
package import FeedStorage
import Synchronization
package import System

/// The pass: asks feeds, and stores what comes back (design 4).
///
/// The library is read once without a lock, to know whom to ask. What comes is decided upon under
/// the lock, against the library as it is then: another process may have saved meanwhile.
package struct Refresher: Sendable {
  let store: LibraryStore
  private let fetcher: any FeedFetcher
  private var fetchOptions: FetchOptions
  private let now: @Sendable () -> Date

  /// A pass over a store.
  ///
  /// - Parameters:
  ///   - store: where subscriptions and stories are.
  ///   - fetcher: what asks the feeds.
  ///   - fetchOptions: what to tell servers; the deadline and the size of bodies are the run's.
  ///   - now: the clock on the wall.
  package init(
    store: LibraryStore,
    fetcher: any FeedFetcher,
    fetchOptions: FetchOptions = FetchOptions(),
    now: @escaping @Sendable () -> Date = { Date() },
  ) {
    self.store = store
    self.fetcher = fetcher
    self.fetchOptions = fetchOptions
    self.now = now
  }

  /// Runs the pass.
  ///
  /// - Parameters:
  ///   - options: what was asked for.
  ///   - cancellation: ends the fetch; what has arrived is stored.
  ///   - progress: is called on the threads of the fetch, never twice at a time.
  /// - Returns: everything, what went wrong included.
  package func run(
    _ options: RefreshOptions,
    cancellation: FetchCancellation = FetchCancellation(),
    progress: (@Sendable (RefreshProgress) -> Void)? = nil,
  ) -> RefreshReport {
    let started = now()
    let clock = RefreshRunClock(date: started, deadline: options.deadline)
    do throws(StorageError) {
      let suspects = try noteDeadRuns(waitAtMost: clock.timeToLock)
      let library = try store.read()
      let plan = RefreshPlan(
        library.subscriptions,
        options: options,
        holds: library.holds,
        now: started,
      )
      var refresher = self
      if !options.isForced {
        let stopped = RefreshSchedule.stoppedServers(library.holds, now: started)
        refresher.fetchOptions.stoppedServers = stopped
      }
      let pass = RefreshPass(
        plan,
        options,
        store: store,
        clock: clock,
        now: now,
        progress: progress,
      )
      return refresher.performed(pass, options, clock, cancellation) { report in
        report.subscribed = library.subscriptions.count
        report.sortFeeds(by: library.subscriptions)
        report.suspects = suspects
        report.isOnlyDue = options.onlyDue
        report.unasked = plan.unasked
        report.wasInterrupted = cancellation.isCancelled
        let isRefused = options.feeds != nil && plan.unasked.contains { $0.reason == .held }
        if report.asked == 0, report.wasInterrupted || isRefused { report.outcome = .failed }
        report.seconds = clock.elapsed.inSeconds
        if report.subscribed > 0 { record(&report, options, started: started) }
      }
    } catch {
      var report = RefreshReport()
      report.storageError = error.description
      report.outcome = .failed
      report.wasInterrupted = cancellation.isCancelled
      report.seconds = clock.elapsed.inSeconds
      record(&report, options, started: started)
      return report
    }
  }

  /// Carries out the pass, and completes the report.
  ///
  /// On a thread of its own where there is a deadline: a disk that does not answer keeps no run past
  /// it. Whatever that thread is about when the process ends, the store is as safe as from a kill.
  private func performed(
    _ pass: RefreshPass,
    _ options: RefreshOptions,
    _ clock: RefreshRunClock,
    _ cancellation: FetchCancellation,
    _ complete: @escaping @Sendable (inout RefreshReport) -> Void,
  ) -> RefreshReport {
    let spool = StorySpool(folder: store.home)
    let perform: @Sendable () -> RefreshReport = {
      var report = pass.perform { requests, collector in
        fetch(requests, options, clock, spool, cancellation, collector)
      }
      complete(&report)
      return report
    }
    guard let end = clock.end else { return perform() }
    let result = Shared<RefreshReport?>(nil)
    WorkerThreads([{ result.value = perform() }]).wait(until: end, orReadable: nil)
    if let report = result.value { return report }
    var report = pass.abandon()
    report.seconds = clock.elapsed.inSeconds
    return report
  }

  private func fetch(
    _ requests: [FetchRequest],
    _ options: RefreshOptions,
    _ clock: RefreshRunClock,
    _ spool: StorySpool,
    _ cancellation: FetchCancellation,
    _ collector: RefreshCollector,
  ) {
    var fetchOptions = fetchOptions
    fetchOptions.deadline = clock.fetchDeadline
    fetchOptions.maximumBytes = options.maximumBytes
    fetchOptions.stoppedServers.merge(collector.busyServers) { $1 }
    let maximumBytes = options.maximumBytes
    fetcher.fetch(
      requests,
      options: fetchOptions,
      cancellation: cancellation,
      receiver: { request in
        collector.begin(request)
        return FeedReceiver(maximumBytes: maximumBytes, spool: spool) {
          collector.noteAnswer(to: request)
        }
      },
      completion: { request, outcome, receiver in
        collector.noteBusy(request, outcome)
        collector.end(
          request,
          receiver.finish(collector.feed(of: request), outcome, now: now()),
        )
      },
    )
  }

  /// Adds the run to the record of runs.
  private func record(_ report: inout RefreshReport, _ options: RefreshOptions, started: Date) {
    do throws(StorageError) {
      try store.append(RunRecord(report, command: options.command, started: started))
    } catch {
      if report.storageError == nil { report.warnings.append(error.description) }
    }
  }
}

/// A value that two threads share.
private final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) {
    state = Mutex(value)
  }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension RunRecord {
  fileprivate init(_ report: RefreshReport, command: String, started: Date) {
    self.init(started: started, command: command, outcome: report.outcome)
    asked = report.asked
    failed = report.failed
    new = report.new
    stored = report.stored
    seconds = report.seconds
  }
}

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
