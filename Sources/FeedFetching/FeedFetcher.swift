/// Asks for feeds.
package protocol FeedFetcher: Sendable {
  /// Asks for all at once, and returns when each has answered, failed, or run into the deadline
  /// or the cancellation.
  func fetch<R: BodyReceiver>(_ batch: FetchBatch<R>)
}

/// Requests, and what is to become of their answers.
///
/// The first requests are asked first; those of one host wait for one another. For each request
/// `receiver` is called once when its turn comes and `completion` once at its end. The calls come on
/// several threads at the same time, those of one request never.
package struct FetchBatch<R: BodyReceiver>: Sendable {
  package var requests: [FetchRequest]
  /// Limits and time-outs; the deadline is kept within 100 ms.
  package var options: FetchOptions
  /// Ends the fetch as the deadline does.
  package let cancellation: FetchCancellation
  /// Makes what takes the body.
  package let receiver: @Sendable (FetchRequest) -> R
  /// Is told the outcome, with what `receiver` made.
  package var completion: @Sendable (FetchRequest, FetchOutcome, R) -> Void
}

extension FeedFetcher {
  package func fetch<R: BodyReceiver>(
    _ requests: [FetchRequest],
    options: FetchOptions,
    cancellation: FetchCancellation,
    receiver: @escaping @Sendable (FetchRequest) -> R,
    completion: @escaping @Sendable (FetchRequest, FetchOutcome, R) -> Void,
  ) {
    fetch(
      FetchBatch(
        requests: requests,
        options: options,
        cancellation: cancellation,
        receiver: receiver,
        completion: completion,
      )
    )
  }
}

/// Fetches whatever a feed's source may be: the web through libcurl, files and standard input
/// directly.
package struct SourceFetcher: FeedFetcher {
  package init() {}

  package func fetch<R: BodyReceiver>(_ batch: FetchBatch<R>) {
    let jobs = batch.requests.map {
      FetchJob($0, receiver: batch.receiver, completion: batch.completion)
    }
    let run = FetchRun(jobs, options: batch.options, cancellation: batch.cancellation)
    let files = jobs.filter { FileSource.isFile($0.request.url) }
    let others = jobs.filter { !FileSource.isFile($0.request.url) }
    run.perform(
      FileFetcher.workers(for: files, run: run) + CurlFetcher.workers(for: others, run: run)
    )
  }
}
