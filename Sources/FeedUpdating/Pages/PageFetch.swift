package import FeedFetching
package import FeedModel
import FeedParsing
import HTMLText

/// What asking for a story's page came to.
package enum PageAnswer: Hashable, Sendable {
  case article(StoryText)
  /// There is a page, and no article in it; nil where it can be read.
  case noArticle(reason: String?)
  /// It was not fetched, or it was not asked for.
  case failed(FetchError, FetchResponse?, hadItsTurn: Bool)
}

/// Fetches stories' pages, and takes the articles out of them.
package struct PageFetch: Sendable {
  private let fetcher: any FeedFetcher
  package var options: FetchOptions

  package init(_ fetcher: any FeedFetcher, options: FetchOptions) {
    self.fetcher = fetcher
    self.options = options
  }

  /// The answers, in the order of the stories; `progress` is called with how many have come, never
  /// twice at a time.
  package func answers(
    for stories: [StoredItem],
    of subscriptions: [Subscription],
    _ cancellation: FetchCancellation,
    progress: @escaping @Sendable (Int) -> Void = { _ in },
  ) -> [PageAnswer] {
    let answers = fetcher.answers(
      to: stories.map { FetchRequest(part: $0.item.link, of: $0, subscriptions) },
      options: options,
      cancellation: cancellation,
      body: { _ in ReceivedBody(isWanted: \.isText) },
      progress: progress,
      make: Self.answer,
    )
    return answers.map { $0 ?? .failed(.cancelled, nil, hadItsTurn: false) }
  }

  private static func answer(
    to request: FetchRequest,
    _ outcome: FetchOutcome,
    _ body: ReceivedBody,
  ) -> PageAnswer {
    guard body.head?.isText ?? true else { return .noArticle(reason: nil) }
    if case .failed(let error, let response) = outcome {
      // As for feeds: who had a second could have answered.
      let hadTime = body.elapsed >= .seconds(1)
      let hadItsTurn = error == .deadline ? hadTime : !error.isUnasked
      return .failed(error, response, hadItsTurn: hadItsTurn)
    }
    do throws(FeedParsingError) {
      let article = try body.withBytes { (bytes) throws(FeedParsingError) in
        let url = body.head?.url ?? request.url
        return try ArticleReader.article(bytes, url: url, charset: body.head?.charset)
      }
      return article.map(PageAnswer.article) ?? .noArticle(reason: nil)
    } catch {
      return .noArticle(reason: "\(error)")
    }
  }
}

extension ResponseHead {
  /// Of what is said to be no text, such as an episode, no more is wanted.
  fileprivate var isText: Bool {
    guard let contentType else { return true }
    return contentType.hasPrefix("text/") || contentType.contains("html")
      || contentType.contains("xml")
  }
}
