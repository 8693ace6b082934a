package import CommandSupport
package import FeedFetching
import FeedModel
import FeedParsing
import FeedReading
package import FeedStorage
package import FeedUpdating

package struct DocumentFetch {
  let context: CommandContext
  /// The library whose servers are left in peace while they ask for that.
  var library: Library?
  /// True to read the stories as a refresh does, with their texts.
  let isForStore: Bool
  var maximumBytes: Int?
  var line: ProgressLine?

  package init(
    context: CommandContext,
    library: Library? = nil,
    isForStore: Bool,
    maximumBytes: Int? = nil,
    line: ProgressLine? = nil,
  ) {
    (self.context, self.library, self.isForStore) = (context, library, isForStore)
    (self.maximumBytes, self.line) = (maximumBytes, line)
  }

  /// Returns the documents in the order of their requests; nil without an answer.
  package func documents(_ requests: [FetchRequest]) -> [FetchedDocument?] {
    var options = context.fetchOptions(library: library)
    if let maximumBytes { options.maximumBytes = maximumBytes }
    var limits = ParsingLimits(maximumBytes: options.maximumBytes)
    limits.keepsTexts = isForStore && context.keepsTexts
    limits.expectDates(at: context.clock.date)
    let (fetcher, cancellation) = (context.makeFetcher(), context.cancellation())
    let reading = DocumentReading(limits, isFileBase: isForStore)
    let started = ContinuousClock.now
    let show = { @Sendable [line] (done: Int) in
      guard let line else { return }
      line.show(Self.progress(requests, done, (.now - started) / .seconds(1)))
    }
    let fetch = { @Sendable [options, isForStore] in
      fetcher.answers(
        to: requests.map { request in
          var request = request
          request.reading = reading.job
          return request
        },
        options: options,
        cancellation: cancellation,
        body: { _ in isForStore ? ReceivedBody() : ReceivedBody(maximumInMemory: .max) },
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

  private static func progress(
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
