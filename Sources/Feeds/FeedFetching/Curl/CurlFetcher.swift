import System

enum CurlFetcher {
  static func workers(for jobs: [FetchJob], run: FetchRun) -> [@Sendable () -> Void] {
    let entries = jobs.compactMap { entry(for: $0, run.options) }
    let transfers = transfers(run.options.maximumTransfers)
    let count = min(
      run.options.workers ?? POSIX.processors,
      transfers,
      run.options.maximumTransfersPerHost,
      run.options.maximumTransfersPerInternetHost,
      entries.count,
    )
    guard !entries.isEmpty else { return [] }
    var options = run.options
    options.maximumTransfers = transfers
    let queue = TransferQueue(
      entries,
      workers: max(count, 1),
      options: options,
      mostTransfers: self.transfers(4 * run.options.maximumTransfers),
    )
    let names = UnresolvedNames()
    return (0..<max(count, 1)).map { number in
      {
        let worker = CurlWorker(number: number, queue: queue, run: run, connections: transfers)
        worker?.work()
        worker?.judgeNames(names)
        // Others may go on for long.
        run.beforeWaiting()
      }
    }
  }

  /// Returns the number of transfers, up to `wanted`, that this process has descriptors for.
  ///
  /// Each may need two while it tries two addresses, two for its name, and others for the
  /// connections that workers keep. Where descriptors run out, libcurl says no more than that it
  /// could not connect.
  static func transfers(_ wanted: Int, descriptors: Int = POSIX.maximumDescriptors) -> Int {
    max(min(wanted, (descriptors - 24) / 7), 1)
  }

  private static func entry(for job: FetchJob, _ options: FetchOptions) -> TransferQueue.Entry? {
    do throws(FetchError) {
      let url = try HTTPURL(job.request.url)
      if let error = options.stoppedServers[url.origin] { throw error }
      try CurlLibrary.load()
      return TransferQueue.Entry(job: job, url: url)
    } catch {
      job.complete(.failed(error, nil))
      return nil
    }
  }
}
