import Synchronization

/// Reads `file:` URLs, paths, and standard input (`-`).
package struct FileFetcher: FeedFetcher {
  package init() {}

  package func fetch<R: BodyReceiver>(
    _ requests: [FetchRequest],
    options: FetchOptions,
    cancellation: FetchCancellation,
    receiver: @escaping @Sendable (FetchRequest) -> R,
    completion: @escaping @Sendable (FetchRequest, FetchOutcome, R) -> Void,
  ) {
    let jobs = requests.map { FetchJob($0, receiver: receiver, completion: completion) }
    let run = FetchRun(jobs, options: options, cancellation: cancellation)
    run.perform(Self.workers(for: jobs, run: run))
  }

  static func workers(for jobs: [FetchJob], run: FetchRun) -> [any FetchWorker] {
    let queue = FileQueue(jobs)
    let count = min(run.options.workers ?? min(SystemCall.processors, 4), jobs.count)
    return (0..<count).map { _ in FileWorker(queue: queue, run: run) }
  }
}

/// The files that wait, shared by the workers.
private final class FileQueue: Sendable {
  private let jobs: [FetchJob]
  private let next = Atomic<Int>(0)

  init(_ jobs: [FetchJob]) {
    self.jobs = jobs
  }

  func take() -> FetchJob? {
    let index = next.add(1, ordering: .relaxed).oldValue
    return index < jobs.count ? jobs[index] : nil
  }
}

private final class FileWorker: FetchWorker {
  private let queue: FileQueue
  private let run: FetchRun

  init(queue: FileQueue, run: FetchRun) {
    self.queue = queue
    self.run = run
  }

  func work() {
    while run.ending == nil, let job = queue.take() {
      FileReading(job: job, run: run).perform()
    }
  }
}
