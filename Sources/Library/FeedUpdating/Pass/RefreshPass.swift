import FeedFetching
import FeedModel
import FeedParsing
import FeedReading
import FeedStorage
import Synchronization
import System

/// One run: asks feeds, and saves their answers.
///
/// An answer is saved within `RefreshOptions.savingInterval`, unless saving takes long, so that it
/// is there whatever ends the process. Failures wait until the end of the run, when it is known if
/// they are the network's.
final class RefreshPass: Sendable {
  private struct State {
    var report = RefreshReport()
    var inHand: [FetchedFeed] = []
    var steps = SavingSteps()
    var witnesses: [NetworkWitness] = []
  }

  private let refresher: Refresher
  private let plan: RefreshPlan
  private let options: RefreshOptions
  private let clock: RefreshRunClock
  private let cancellation: FetchCancellation
  private let collector: RefreshCollector
  private let spool: StorySpool
  private let state = Mutex(State())

  init(
    _ plan: RefreshPlan,
    _ options: RefreshOptions,
    of refresher: Refresher,
    _ clock: RefreshRunClock,
    _ cancellation: FetchCancellation,
    _ progress: (@Sendable (RefreshProgress) -> Void)?,
  ) {
    self.refresher = refresher
    self.plan = plan
    self.options = options
    self.clock = clock
    self.cancellation = cancellation
    spool = StorySpool(folder: refresher.store.home)
    collector = RefreshCollector(
      plan.feeds,
      started: clock.started,
      progress: progress,
    )
  }

  func perform() -> RefreshReport {
    ask(plan.requests(options, now: refresher.now()))
    save(collector.take())
    begin(.waiting)
    return report()
  }

  // MARK: Asking

  private func ask(_ requests: [FetchRequest]) {
    begin(.asking)
    let asking = WorkerThreads([{ self.fetch(requests) }])
    var pause = options.savingInterval
    while !asking.haveEnded {
      asking.wait(until: .now + pause, orReadable: nil)
      guard !asking.haveEnded else { return }
      let duration = ContinuousClock().measure(saveAnswers)
      begin(.asking)
      // At most a tenth of the time is spent on saving.
      pause = max(options.savingInterval, duration * 9)
    }
  }

  private func fetch(_ requests: [FetchRequest]) {
    var fetchOptions = refresher.fetchOptions
    fetchOptions.deadline = clock.fetchDeadline
    fetchOptions.stoppedServers.merge(collector.busyServers) { $1 }
    let now = refresher.now()
    let reading = { @Sendable [options, fetchOptions] (request: FetchRequest) in
      DocumentReading(
        ParsingLimits(
          maximumBytes: request.maximumBytes(fetchOptions),
          keeping: options.keepsTexts ? .texts : .items,
          datesAt: now,
        )
      )
    }
    refresher.fetcher.fetch(
      requests.filter { !takeAnswer(to: $0) }.map { request in
        request.changed { $0.reading = reading(request).job }
      },
      options: fetchOptions,
      cancellation: cancellation,
      body: { [collector] request in
        collector.begin(request)
        return ReceivedBody(request)
      },
      completion: { [self] request, outcome, body in
        collector.noteBusy(request, outcome)
        let document = DocumentReader(reading(request)).read(request, outcome, body)
        collector.end(request, feed(request, document))
      },
    )
  }

  /// Takes an answer that came before the run; returns false if the feed is to be asked.
  private func takeAnswer(to request: FetchRequest) -> Bool {
    guard let document = refresher.answers[request.url] else { return false }
    collector.begin(request)
    collector.end(request, feed(request, document))
    return true
  }

  private func feed(_ request: FetchRequest, _ document: FetchedDocument) -> FetchedFeed {
    FetchedFeed(
      collector.feed(of: request),
      document,
      spool,
      at: refresher.now(),
    )
  }

  // MARK: Saving

  private func saveAnswers() {
    let feeds = collector.take(\.isAnswer)
    guard !feeds.isEmpty else { return }
    do {
      try save(feeds, commit(feeds), waitAtMost: min(.seconds(1), clock.timeToLock))
    } catch {
      // They are saved later, and reported if that fails too.
      collector.putBack(feeds)
      state.withLock { $0.inHand = [] }
    }
  }

  private func save(_ feeds: [FetchedFeed]) {
    guard !feeds.isEmpty else { return }
    let commit = commit(feeds)
    do {
      try save(feeds, commit, waitAtMost: clock.timeToLock)
    } catch {
      var report = commit.unsavedReport()
      report.storageError = "\(error)"
      add(report)
    }
  }

  private func commit(_ feeds: [FetchedFeed]) -> RefreshCommit {
    let witnesses = state.withLock { state in
      state.witnesses += feeds.map(NetworkWitness.init)
      return state.witnesses
    }
    return RefreshCommit(
      feeds,
      verdict: NetworkVerdict(witnesses),
      options: options,
    )
  }

  private func save(
    _ feeds: [FetchedFeed],
    _ commit: RefreshCommit,
    waitAtMost limit: Duration,
  ) throws {
    state.withLock { $0.inHand = feeds }
    if commit.isFutile {
      add(commit.unsavedReport())
    } else {
      begin(.waiting)
      let part = try refresher.store.update(waitAtMost: limit) { library in
        begin(.merging)
        defer { begin(.writing) }
        return try commit.change(library, now: refresher.now(), rules: refresher.rules.get())
      }
      add(part)
    }
  }

  private func begin(_ step: SavingSteps.Step) {
    state.withLock { $0.steps.begin(step) }
  }

  // MARK: What came of it

  private func add(_ part: RefreshReport) {
    state.withLock { state in
      state.report.add(part)
      state.inHand = []
    }
  }

  private func report() -> RefreshReport {
    var report = state.withLock(\.report)
    report.conclude()
    return report
  }

  /// The report of a run that is given up, in which unsaved feeds count as such.
  func abandon() -> RefreshReport {
    let (inHand, steps) = state.withLock { ($0.inHand, $0.steps) }
    let feeds = inHand + collector.take()
    // A disk that does not answer is not waited for.
    let writer = Mutex<Int32?>(nil)
    let last = WorkerThreads([
      { [store = refresher.store] in
        let found = store.writer()
        writer.withLock { $0 = found }
      }
    ])
    last.wait(until: .now + .milliseconds(50), orReadable: nil)
    var part = commit(feeds).unsavedReport()
    let reason = steps.reason(
      at: .now,
      writer: writer.withLock { $0 },
      stories: feeds.reduce(0) { $0 + $1.stories },
      feeds: feeds.count,
    )
    part.storageError = "not saved by the deadline: \(reason)"
    add(part)
    return report()
  }
}

/// The steps of a save, of which the longest is named if the run is given up.
struct SavingSteps: Sendable {
  enum Step {
    case asking
    case waiting
    case merging, writing
  }

  private var begun: [(step: Step, at: ContinuousClock.Instant)] = []

  mutating func begin(_ step: Step, at now: ContinuousClock.Instant = .now) {
    if step == .asking || step == .waiting { begun = [] }
    begun.append((step, now))
  }

  /// The reason why so many stories are not saved; `writer` is the process that holds the store's
  /// lock, if known.
  func reason(at now: ContinuousClock.Instant, writer: Int32?, stories: Int, feeds: Int) -> String {
    let ends = begun.dropFirst().map(\.at) + [now]
    let times = zip(begun, ends).map { (step: $0.step, time: $0.at.duration(to: $1)) }
    switch times.max(by: { $0.time < $1.time })?.step {
    case .waiting:
      guard let writer, begun.last?.step == .waiting else {
        return "another program holds the store, or the disk is too slow"
      }
      return writer == getpid()
        ? Self.slowDisk : "another program holds the store (process \(writer))"
    case .writing: return Self.slowDisk
    case .asking, .merging, nil:
      return stories == 0
        ? "what the feeds answered could not be read in time"
        : "\(Count.stories(stories)) of \(Count.of(feeds, "feed")) could not be merged in time"
    }
  }

  private static let slowDisk = "the disk is too slow"
}
