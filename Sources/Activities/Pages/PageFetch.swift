package import FeedFetching
package import FeedModel
import FeedParsing
import FeedReading
package import HTMLText

package enum PageAnswer: Hashable, Sendable {
  case article(StoryText)
  /// A page without an article; `reason` is nil if the page could be read.
  case noArticle(reason: String?)
  case failed(FetchError, FetchResponse?, hadItsTurn: Bool)
}

package struct FetchedPage: Sendable {
  package let url: String
  package let answer: PageAnswer
  package private(set) var description: PageDescription?
  /// The last answer without its body; nil without one.
  fileprivate(set) var response: FetchResponse?
}

package struct PageFetch: Sendable {
  let fetcher: any FeedFetcher
  package var options: FetchOptions
  /// The feeds on whose behalf the pages and files of stories are asked for.
  let subscriptions: [Subscription]

  package init(
    _ fetcher: any FeedFetcher,
    options: FetchOptions,
    for subscriptions: [Subscription],
  ) {
    (self.fetcher, self.options, self.subscriptions) = (fetcher, options, subscriptions)
  }

  /// Returns the answers in the order of the stories.
  ///
  /// `progress` gets the number of answers so far, never twice at a time.
  package func answers(
    for stories: [StoredItem],
    _ cancellation: FetchCancellation,
    progress: @escaping @Sendable (Int) -> Void = { _ in },
  ) -> [PageAnswer] {
    let readings = stories.map { PageReading(teaser: $0.item.summary ?? "") }
    let removal = TrackerRemoval(subscriptions)
    let answers = fetcher.answers(
      to: zip(stories, readings).map { story, reading in
        let link = removal.link(of: story)
        return Self.forPage(FetchRequest(part: link, of: story, subscriptions), reading)
      },
      options: options,
      cancellation: cancellation,
      progress: progress,
      make: { Self.read($0, $1, $2, readings[$0.index]).answer },
    )
    return answers.map { $0 ?? .failed(.cancelled, nil, hadItsTurn: false) }
  }

  package func page(at url: String, _ cancellation: FetchCancellation) -> FetchedPage {
    pages([FetchRequest(url: url)], cancellation).first.flatMap(\.self)
      ?? FetchedPage(url: url, answer: .failed(.cancelled, nil, hadItsTurn: false))
  }

  func pages(_ requests: [FetchRequest], _ cancellation: FetchCancellation) -> [FetchedPage?] {
    let reading = PageReading()
    return fetcher.answers(
      to: requests.map { Self.forPage($0, reading) },
      options: options,
      cancellation: cancellation,
      make: { request, outcome, body in
        var page = Self.read(request, outcome, body, reading)
        page.response = outcome.response
        return page
      },
    )
  }

  private static func forPage(_ request: FetchRequest, _ reading: PageReading) -> FetchRequest {
    request.changed { ($0.content, $0.reading) = (.text, reading.job) }
  }

  private static func read(
    _ request: FetchRequest,
    _ outcome: FetchOutcome,
    _ body: ReceivedBody,
    _ reading: PageReading,
  ) -> FetchedPage {
    let url = body.head?.url ?? request.url
    guard body.head.map(request.content.takes) ?? true else {
      return FetchedPage(url: url, answer: .noArticle(reason: nil))
    }
    if case .failed(let error, let response) = outcome {
      if error.mayComeAfterWhole, let page = whole(body, url, reading) { return page }
      let hadItsTurn = error.hadItsTurn(after: body.elapsed)
      return FetchedPage(url: url, answer: .failed(error, response, hadItsTurn: hadItsTurn))
    }
    do throws(FeedParsingError) {
      return page(try reading.value(of: body), url)
    } catch {
      return FetchedPage(url: url, answer: .noArticle(reason: "\(error)"))
    }
  }

  private static func page(_ read: PageReading.Value, _ url: String) -> FetchedPage {
    let answer = read.article.map(PageAnswer.article) ?? .noArticle(reason: nil)
    return FetchedPage(url: url, answer: answer, description: read.description)
  }

  /// Returns the page if its root was closed before the transfer failed.
  private static func whole(
    _ body: ReceivedBody,
    _ url: String,
    _ reading: PageReading,
  ) -> FetchedPage? {
    // A page that cannot be read is not whole.
    guard body.head != nil, let read = try? reading.value(of: body), read.isWhole else {
      return nil
    }
    return page(read, url)
  }
}
