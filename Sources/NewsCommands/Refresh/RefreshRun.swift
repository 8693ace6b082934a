import Aggregation
import FeedFetching
import FeedModel
import FeedStorage
import Synchronization

/// The options that `refresh` and `fetch` share.
extension RefreshOptions {
  static let words = [
    CommandOption(
      "keep",
      value: "N",
      help: "keep N stories of each feed that it no longer carries (1000; 0 keeps all)",
    ),
    CommandOption("max-size", value: "MIB", help: "refuse larger feeds, in MiB (32)"),
  ]

  static func read(_ context: CommandContext) throws(CommandError) -> RefreshOptions {
    var options = RefreshOptions(command: context.command ?? "")
    if let keep = try context.number("keep", 0...1_000_000_000) { options.keep = keep }
    if let size = try context.number("max-size", 1...2047) { options.maximumBytes = size << 20 }
    return options
  }
}

/// Carries out a run of `refresh` or `fetch`, with progress and interruption.
struct RefreshRun {
  let context: CommandContext
  let store: LibraryStore
  /// What feeds answered that were subscribed to in this process, by URL.
  let answers: [String: FirstAnswer]

  func run(
    _ options: RefreshOptions,
    progress: ProgressLine?,
  ) throws(CommandError) -> RefreshReport {
    let cancellation = context.cancellation()
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
    let result = Mutex(RefreshReport())
    let work = WorkerThreads([
      {
        let report = refresher.run(options, cancellation: cancellation, progress: line.show)
        result.withLock { $0 = report }
      }
    ])
    while !work.haveEnded {
      work.wait(until: .now + .seconds(ProgressLine.secondsBetween), orReadable: nil)
      line.tick(seconds: (ContinuousClock.now - started) / .seconds(1))
    }
    line.clear()
    return result.withLock { $0 }
  }

  private func refresher(_ options: RefreshOptions, _ first: FirstAnswers) -> Refresher {
    var fetcher = context.makeFetcher()
    // A forced refresh asks without condition, and gets what is there now.
    if !options.isForced, !answers.isEmpty || !first.isEmpty {
      fetcher = FirstAnswerFetcher(base: fetcher, answers: first, fresh: answers)
    }
    let clock = context.clock
    return Refresher(
      store: store,
      fetcher: fetcher,
      fetchOptions: context.fetchOptions(),
      now: { clock.date },
    )
  }
}
