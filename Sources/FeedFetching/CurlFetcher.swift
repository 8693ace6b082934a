/// Fetches http and https URLs with libcurl.
package struct CurlFetcher: FeedFetcher {
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

  /// Workers for those of `jobs` that can be asked for; the others end here.
  static func workers(for jobs: [FetchJob], run: FetchRun) -> [any FetchWorker] {
    let entries = jobs.compactMap { entry(for: $0) }
    let count = min(
      run.options.workers ?? min(SystemCall.processors, 4),
      run.options.maximumTransfers,
      run.options.maximumTransfersPerHost,
      entries.count,
    )
    guard !entries.isEmpty else { return [] }
    let queue = TransferQueue(entries, workers: max(count, 1), options: run.options)
    let names = NameQuestions()
    return (0..<max(count, 1)).map { CurlWorker(number: $0, queue: queue, run: run, names: names) }
  }

  private static func entry(for job: FetchJob) -> TransferQueue.Entry? {
    do throws(FetchError) {
      let url = try HTTPURL(job.request.url)
      try CurlLibrary.load()
      return TransferQueue.Entry(job: job, url: url)
    } catch {
      job.complete(.failed(error, nil))
      return nil
    }
  }
}
