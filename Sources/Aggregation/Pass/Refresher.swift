package import FeedFetching
import FeedModel
package import FeedStorage

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
    let run = RefreshRunClock(deadline: options.deadline)
    let started = now()
    var report = RefreshReport()
    do throws(StorageError) {
      let library = try store.read()
      let plan = RefreshPlan(
        library.subscriptions,
        options: options,
        hosts: library.hosts,
        now: started,
      )
      let fetched = fetch(plan, options, run, cancellation, progress)
      report = try save(fetched, options, run)
      report.subscribed = library.subscriptions.count
      report.postponed = plan.postponed
    } catch {
      report.storageError = error.description
      report.outcome = .failed
    }
    report.wasInterrupted = cancellation.isCancelled
    if report.wasInterrupted, report.asked == 0 { report.outcome = .failed }
    report.seconds = run.elapsed.inSeconds
    return recorded(report, options, started: started)
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
    fetcher.fetch(
      plan.requests(isForced: options.isForced, now: now()),
      options: fetchOptions,
      cancellation: cancellation,
      receiver: { request in
        collector.begin(request)
        return FeedReceiver(maximumBytes: maximumBytes)
      },
      completion: { request, outcome, receiver in
        let feed = receiver.finish(plan.feeds[request.index], outcome, now: now())
        collector.end(request, feed)
      },
    )
    return collector.fetched
  }

  private func save(
    _ fetched: [FetchedFeed],
    _ options: RefreshOptions,
    _ run: RefreshRunClock,
  ) throws(StorageError) -> RefreshReport {
    let fetched = fetched.filter { !$0.wasCancelled }
    guard !fetched.isEmpty else { return RefreshReport() }
    let commit = RefreshCommit(fetched, keep: options.keep, now: now())
    guard !commit.isOffline else { return commit.offlineReport() }
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
  private func recorded(
    _ report: RefreshReport,
    _ options: RefreshOptions,
    started: Date,
  ) -> RefreshReport {
    guard report.subscribed > 0 || report.storageError != nil else { return report }
    var report = report
    do throws(StorageError) {
      try store.append(RunRecord(report, command: options.command, started: started))
    } catch {
      if report.storageError == nil { report.warnings.append(error.description) }
    }
    return report
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
