import Aggregation
import FeedFetching
import FeedModel
import FeedStorage
import Synchronization

/// Carries out a run of `refresh` or `fetch`, with progress and interruption.
struct RefreshRun {
  let context: CommandContext
  let store: LibraryStore
  /// What feeds answered that were subscribed to in this process, by URL.
  let answers: [String: FirstAnswer]

  /// Asks the feeds and stores what comes back; shows how far it is where there is a `progress`.
  func run(
    _ options: RefreshOptions,
    progress: ProgressLine?,
  ) throws(CommandError) -> RefreshReport {
    let cancellation = FetchCancellation()
    context.environment.cancelOnInterruption(cancellation)
    let first = FirstAnswers(home: store.home)
    var report = report(refresher(options, first), options, cancellation, progress)
    // Whoever asks nobody for want of subscriptions has not found that there is no news.
    if report.subscribed == 0 { report.outcome = .failed }
    if report.storageError == nil, !first.isEmpty {
      for feed in report.feeds where feed.outcome != .failed { first.forget(feed.url) }
    }
    return report
  }

  /// The run itself: on a thread of its own where this one has a line to keep alive.
  private func report(
    _ refresher: Refresher,
    _ options: RefreshOptions,
    _ cancellation: FetchCancellation,
    _ line: ProgressLine?,
  ) -> RefreshReport {
    guard let line else { return refresher.run(options, cancellation: cancellation) }
    let started = ContinuousClock.now
    let result = LateReport()
    let work = WorkerThreads([
      {
        result.set(refresher.run(options, cancellation: cancellation, progress: line.show))
      }
    ])
    while !work.haveEnded {
      work.wait(until: .now + .seconds(ProgressLine.secondsBetween), orReadable: nil)
      line.tick(seconds: (ContinuousClock.now - started) / .seconds(1))
    }
    line.clear()
    return result.report
  }

  private func refresher(_ options: RefreshOptions, _ first: FirstAnswers) -> Refresher {
    var fetcher = context.environment.makeFetcher()
    // A forced refresh asks without condition, and gets what is there now.
    if !options.isForced, !answers.isEmpty || !first.isEmpty {
      fetcher = FirstAnswerFetcher(base: fetcher, answers: first, fresh: answers)
    }
    let clock = context.environment.clock
    return Refresher(
      store: store,
      fetcher: fetcher,
      fetchOptions: Fetching.options(context),
      now: { clock.date },
    )
  }
}

/// A report that another thread brings.
private final class LateReport: Sendable {
  private let value = Mutex(RefreshReport())

  var report: RefreshReport { value.withLock { $0 } }

  func set(_ report: RefreshReport) {
    value.withLock { $0 = report }
  }
}
