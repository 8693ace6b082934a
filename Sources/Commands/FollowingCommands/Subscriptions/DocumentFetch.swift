package import CommandSupport
package import FeedFetching
import FeedModel
package import FeedParsing
import FeedReading
package import FeedStorage
package import FeedUpdating

extension CommandContext {
  /// Returns the documents in the order of their requests; nil without an answer.
  ///
  /// `library` has the servers that are left in peace while they ask for that. Stories are read as a
  /// refresh does, with their texts, or as `printing` wants them.
  package func documents(
    _ requests: [FetchRequest],
    library: Library? = nil,
    printing: ParsingLimits.Kept? = nil,
    maximumBytes: Int? = nil,
    line: ProgressLine? = nil,
  ) -> [FetchedDocument?] {
    var options = fetchOptions(library: library)
    if let maximumBytes { options.maximumBytes = maximumBytes }
    let limits = ParsingLimits(
      maximumBytes: options.maximumBytes,
      keeping: printing ?? (keepsTexts ? .texts : .items),
      datesAt: clock.date,
    )
    let (fetcher, cancellation) = (makeFetcher(), self.cancellation())
    let reading = DocumentReading(limits, isFileBase: printing == nil)
    let started = ContinuousClock.now
    let show = { @Sendable [line] (done: Int) in
      guard let line else { return }
      line.show(DocumentFetch.progress(requests, done, (.now - started) / .seconds(1)))
    }
    let fetch = { @Sendable [options] in
      fetcher.answers(
        to: requests.map { request in request.changed { $0.reading = reading.job } },
        options: options,
        cancellation: cancellation,
        body: { _ in printing == nil ? ReceivedBody() : ReceivedBody(maximumInMemory: .max) },
        progress: show,
        make: { (request: $0, outcome: $1, body: $2) },
      )
    }
    show(0)
    let answers = line?.during(fetch) ?? fetch()
    let reader = DocumentReader(reading)
    return answers.map { answer in
      answer.map { reader.read($0.request, $0.outcome, $0.body) }
    }
  }
}

private enum DocumentFetch {
  static func progress(
    _ requests: [FetchRequest],
    _ done: Int,
    _ seconds: Double,
  ) -> RefreshProgress {
    let hosts = Set(requests.compactMap { WebURL.host(of: $0.url) }).sorted()
    return RefreshProgress(
      done: done,
      total: requests.count,
      stories: 0,
      hosts: Array(hosts.prefix(4)),
      seconds: seconds,
    )
  }
}
