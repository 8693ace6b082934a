package import FeedFetching
import FeedModel
package import FeedStorage
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The pass: asks feeds, and stores what comes back (design 4).
///
/// The library is read once without a lock, to know whom to ask. What comes is decided upon under
/// the lock, against the library as it is then: another process may have saved meanwhile.
package struct Refresher: Sendable {
  private let store: LibraryStore
  private let fetcher: any FeedFetcher
  private let fetchOptions: FetchOptions
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
    let run = RefreshRunClock(date: started, deadline: options.deadline)
    do throws(StorageError) {
      let library = try store.read()
      let plan = RefreshPlan(
        library.subscriptions,
        options: options,
        hosts: library.hosts,
        now: started,
      )
      let fetched = fetch(plan, options, run, cancellation, progress)
      return concluded(fetched, options, run) { report in
        report.subscribed = library.subscriptions.count
        report.postponed = plan.postponed
        report.unasked = plan.unasked
        report.wasInterrupted = cancellation.isCancelled
        if report.wasInterrupted, report.asked == 0 { report.outcome = .failed }
        report.seconds = run.elapsed.inSeconds
        if report.subscribed > 0 { record(&report, options, started: started) }
      }
    } catch {
      var report = RefreshReport()
      report.storageError = error.description
      report.outcome = .failed
      report.wasInterrupted = cancellation.isCancelled
      report.seconds = run.elapsed.inSeconds
      record(&report, options, started: started)
      return report
    }
  }

  /// Stores what came back and completes the report.
  ///
  /// On a thread of its own where there is a deadline: a disk that does not answer keeps no run past
  /// it. Whatever that thread is about when the process ends, the store is as safe as from a kill.
  private func concluded(
    _ fetched: [FetchedFeed],
    _ options: RefreshOptions,
    _ run: RefreshRunClock,
    _ complete: @escaping @Sendable (inout RefreshReport) -> Void,
  ) -> RefreshReport {
    let fetched = fetched.filter { !$0.wasCancelled }
    let commit = RefreshCommit(fetched, of: run.date, keep: options.keep, now: now())
    let stored: @Sendable () -> RefreshReport = {
      var report = fetched.isEmpty ? RefreshReport() : save(commit, run)
      complete(&report)
      return report
    }
    guard let end = run.end else { return stored() }
    let result = Shared<RefreshReport?>(nil)
    WorkerThreads([{ result.value = stored() }]).wait(until: end, orReadable: nil)
    if let report = result.value { return report }
    var report = commit.unsavedReport()
    report.storageError =
      "not saved by the deadline: another program holds the store, or the disk is too slow"
    report.outcome = .failed
    report.seconds = run.elapsed.inSeconds
    return report
  }

  private func fetch(
    _ plan: RefreshPlan,
    _ options: RefreshOptions,
    _ run: RefreshRunClock,
    _ cancellation: FetchCancellation,
    _ progress: (@Sendable (RefreshProgress) -> Void)?,
  ) -> [FetchedFeed] {
    guard !plan.feeds.isEmpty else { return [] }
    var fetchOptions = fetchOptions
    fetchOptions.deadline = run.fetchDeadline
    fetchOptions.maximumBytes = options.maximumBytes
    let collector = RefreshCollector(
      total: plan.feeds.count,
      started: run.started,
      progress: progress,
    )
    let maximumBytes = options.maximumBytes
    let spool = StorySpool(folder: store.home)
    fetcher.fetch(
      plan.requests(isForced: options.isForced, now: now()),
      options: fetchOptions,
      cancellation: cancellation,
      receiver: { request in
        collector.begin(request)
        return FeedReceiver(maximumBytes: maximumBytes, spool: spool)
      },
      completion: { request, outcome, receiver in
        let feed = receiver.finish(plan.feeds[request.index], outcome, now: now())
        collector.end(request, feed)
      },
    )
    return collector.fetched
  }

  private func save(_ commit: RefreshCommit, _ run: RefreshRunClock) -> RefreshReport {
    guard !commit.isFutile else { return commit.unsavedReport() }
    do throws(StorageError) {
      return try store.update(waitAtMost: run.timeToLock) { (library) throws(StorageError) in
        try commit.change(library)
      }
    } catch {
      var report = commit.unsavedReport()
      report.storageError = error.description
      report.outcome = .failed
      return report
    }
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
