/// Fetches whatever a feed's source may be: the web through libcurl, files and standard input
/// directly.
package struct SourceFetcher: FeedFetcher {
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
    let files = jobs.filter { FileSource.isFile($0.request.url) }
    let others = jobs.filter { !FileSource.isFile($0.request.url) }
    run.perform(
      FileFetcher.workers(for: files, run: run) + CurlFetcher.workers(for: others, run: run)
    )
  }
}
