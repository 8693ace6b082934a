/// Asks for feeds.
package protocol FeedFetcher: Sendable {
  /// Asks for all at once, and returns when each has answered, failed, or run into the deadline
  /// or the cancellation.
  ///
  /// The first requests are asked first; those of one host wait for one another. For each request
  /// `receiver` is called once when its turn comes and `completion` once at its end. The calls
  /// come on several threads at the same time, those of one request never.
  ///
  /// - Parameters:
  ///   - requests: in the order in which to ask.
  ///   - options: limits and time-outs; the deadline is kept within 100 ms.
  ///   - cancellation: ends the fetch as the deadline does.
  ///   - receiver: makes what takes the body.
  ///   - completion: is told the outcome, with what `receiver` made.
  func fetch<R: BodyReceiver>(
    _ requests: [FetchRequest],
    options: FetchOptions,
    cancellation: FetchCancellation,
    receiver: @escaping @Sendable (FetchRequest) -> R,
    completion: @escaping @Sendable (FetchRequest, FetchOutcome, R) -> Void,
  )
}

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
