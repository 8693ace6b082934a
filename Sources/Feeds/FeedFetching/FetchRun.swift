package import System

final class FetchRun: Sendable {
  let options: FetchOptions
  let cancellation: FetchCancellation
  let beforeWaiting: @Sendable () -> Void
  private let jobs: [FetchJob]

  /// The time for workers to notice the deadline themselves, before their jobs are ended for them;
  /// the process that reads has `remoteGrace`, and gives its own workers this.
  static let grace = Duration.milliseconds(60)
  static let remoteGrace = grace * 3

  init(_ jobs: [FetchJob], of batch: FetchBatch) {
    self.jobs = jobs
    options = batch.options
    cancellation = batch.cancellation
    beforeWaiting = batch.beforeWaiting
  }

  /// The reason to end everything now, or nil to go on; it never becomes nil again.
  var ending: FetchError? {
    if let deadline = options.deadline, deadline <= .now { return .deadline }
    return cancellation.isCancelled ? .cancelled : nil
  }

  /// Looks at the clock alone, as it is called for each piece of a body.
  func isOver(at now: ContinuousClock.Instant) -> Bool {
    options.deadline.map { $0 <= now } ?? false
  }

  /// Runs the workers, each in its thread, until all jobs have ended.
  ///
  /// A worker takes jobs from a queue until it is empty or the run is over, and leaves the rest. A
  /// worker can be stuck where no time-out reaches (old versions of libcurl wait for the system's
  /// resolver when a transfer is removed): at the deadline its jobs are ended here, and its thread
  /// is left to itself, with all that it uses.
  func perform(_ workers: [@Sendable () -> Void]) {
    let threads = WorkerThreads(workers)
    threads.wait(until: options.deadline, orReadable: cancellation.descriptor)
    if !threads.haveEnded {
      let grace = Starter.current == nil ? Self.grace : Self.remoteGrace
      threads.wait(until: .now + grace, orReadable: nil)
    }
    let error = ending ?? .resourcesExhausted
    for job in jobs { job.end(because: error) }
  }
}

/// Ends a fetch from outside, such as on Ctrl-C.
///
/// A pipe becomes readable for good, so that every thread that waits for the network is woken,
/// however often and from wherever it is written to.
package final class FetchCancellation: Sendable {
  package let event: SystemEvent?

  package init() {
    event = SystemEvent()
  }

  package var isCancelled: Bool {
    event?.hasHappened ?? false
  }

  package var descriptor: Int32? { event?.readEnd }
}
