import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import System

/// One run on its way: it asks one batch of feeds after the other, and saves what has come.
///
/// What has arrived waits no longer than `RefreshOptions.savingInterval` to be saved, so that it is
/// there whatever ends the process. Failures wait until the end of their batch: only then can it be
/// said whether they are the network's.
final class RefreshPass: Sendable {
  private struct State {
    /// What has been saved, and what could not be.
    var report = RefreshReport()
    /// What is being saved.
    var inHand: [ArrivedFeed] = []
    var witnesses: [NetworkWitness] = []
  }

  private let store: LibraryStore
  private let plan: RefreshPlan
  private let options: RefreshOptions
  private let clock: RefreshRunClock
  private let now: @Sendable () -> Date
  private let collector: RefreshCollector
  /// nil where none can be kept.
  private let record: ActiveRun?
  private let state = Mutex(State())

  init(
    _ plan: RefreshPlan,
    _ options: RefreshOptions,
    store: LibraryStore,
    clock: RefreshRunClock,
    now: @escaping @Sendable () -> Date,
    progress: (@Sendable (RefreshProgress) -> Void)?,
  ) {
    self.store = store
    self.plan = plan
    self.options = options
    self.clock = clock
    self.now = now
    // Where no record can be kept nothing can be saved either, which is told when it is tried.
    let urls = plan.feeds.map(\.url)
    record = urls.isEmpty ? nil : try? ActiveRun(in: store.home, feeds: urls)
    collector = RefreshCollector(
      plan.feeds,
      started: clock.started,
      record: record,
      progress: progress,
    )
  }

  /// Asks and saves.
  ///
  /// - Parameter fetch: asks some feeds, and returns when all have answered or failed.
  /// - Returns: what came of it.
  func perform(
    _ fetch: @escaping @Sendable ([FetchRequest], RefreshCollector) -> Void
  ) -> RefreshReport {
    let requests = plan.requests(isForced: options.isForced, now: now())
    for batch in plan.batches where state.withLock({ $0.report.storageError == nil }) {
      let requests = batch.map { requests[$0] }
      ask { [collector] in fetch(requests, collector) }
      saveAll()
    }
    record?.end()
    return report()
  }

  /// What came of it so far, when nobody waits any longer; what is not saved counts as that.
  func abandon() -> RefreshReport {
    let rest = state.withLock(\.inHand) + collector.takeAll()
    var part = commit(rest).unsavedReport()
    part.storageError =
      "not saved by the deadline: another program holds the store, or the disk is too slow"
    add(part)
    // A disk that does not answer is not waited for.
    if let record {
      WorkerThreads([{ record.end() }]).wait(until: .now + .milliseconds(50), orReadable: nil)
    }
    return report()
  }

  private func ask(_ fetch: @escaping @Sendable () -> Void) {
    let asking = WorkerThreads([fetch])
    var pause = options.savingInterval
    while !asking.haveEnded {
      asking.wait(until: .now + pause, orReadable: nil)
      guard !asking.haveEnded else { return }
      let duration = ContinuousClock().measure(saveAnswers)
      // A tenth of the time is spent on saving, at most.
      pause = max(options.savingInterval, duration * 9)
    }
  }

  /// Saves the answers that have come, while others are waited for.
  private func saveAnswers() {
    let feeds = collector.takeAnswers()
    guard !feeds.isEmpty else { return }
    state.withLock { $0.inHand = feeds }
    do throws(StorageError) {
      add(try save(commit(feeds), waitAtMost: min(.seconds(1), clock.timeToLock)))
      collector.settle(feeds)
    } catch {
      // Tried again, and told of if it still fails then.
      collector.putBack(feeds)
      state.withLock { $0.inHand = [] }
    }
  }

  /// Saves everything that has come; no feed is being asked.
  private func saveAll() {
    let feeds = collector.takeAll()
    guard !feeds.isEmpty else { return }
    state.withLock { $0.inHand = feeds }
    let commit = commit(feeds)
    do throws(StorageError) {
      add(try save(commit, waitAtMost: clock.timeToLock))
      collector.settle(feeds)
    } catch {
      var report = commit.unsavedReport()
      report.storageError = error.description
      add(report)
    }
  }

  private func commit(_ feeds: [ArrivedFeed]) -> RefreshCommit {
    let witnesses = state.withLock { state in
      state.witnesses += feeds.map { NetworkWitness($0.feed) }
      return state.witnesses
    }
    return RefreshCommit(
      feeds.map(\.feed),
      verdict: NetworkVerdict(witnesses),
      keep: options.keep,
      now: now(),
    )
  }

  private func save(
    _ commit: RefreshCommit,
    waitAtMost limit: Duration,
  ) throws(StorageError) -> RefreshReport {
    guard !commit.isFutile else { return commit.unsavedReport() }
    record?.note(isSaving: true)
    defer { record?.note(isSaving: false) }
    return try store.update(waitAtMost: limit) { (library) throws(StorageError) in
      try commit.change(library)
    }
  }

  private func add(_ part: RefreshReport) {
    state.withLock { state in
      state.report.add(part)
      state.inHand = []
    }
  }

  private func report() -> RefreshReport {
    var report = state.withLock(\.report)
    report.conclude()
    if report.storageError != nil { report.outcome = .failed }
    return report
  }
}
