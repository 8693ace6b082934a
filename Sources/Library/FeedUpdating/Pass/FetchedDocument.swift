package import FeedFetching
import FeedLibrary
package import FeedModel
package import FeedParsing
import System

package struct FetchedDocument: Sendable {
  package let url: String
  package let outcome: FetchOutcome
  /// The URL of the content after all redirects; nil without content.
  package private(set) var source: String?
  /// The parsed content; nil if there was none, or not all of it came.
  package private(set) var feed: Result<Feed, FeedParsingError>?
  var part: Feed?
  private(set) var digest = ""
  /// The time since the request's turn came.
  var elapsed = Duration.zero

  var hadItsTurn: Bool { outcome.error?.hadItsTurn(after: elapsed) ?? true }

  /// The reason of a failed fetch, with the number of stories that came before it; nil after a
  /// success.
  package var reason: String? {
    guard case .failed(let error, _) = outcome else { return nil }
    let stories = part?.items.count ?? 0
    return stories == 0 ? "\(error)" : "\(error); \(Count.stories(stories)) came before"
  }

  package var redirect: String? {
    let asked = WebURL.redacted(url).replacing("://***@", with: "://")
    guard let place = outcome.response?.url, WebURL.isWeb(url),
      WebURL.canonical(place) != WebURL.canonical(asked)
    else { return nil }
    return place
  }

  func answer(now: Date) -> (FeedAnswer, Feed?) {
    switch (outcome, feed) {
    case (.notModified(let response), _): return (.notModified(response), nil)
    case (.failed(let error, let response), _):
      var failure = FeedFailure(error, response, hadItsTurn: hadItsTurn)
      failure.reason = reason ?? failure.reason
      return (.failed(failure, response), part)
    case (.content(let response), .success(let feed)):
      return (.document(facts(of: feed, now: now), response), feed)
    case (.content(let response), .failure(let error)):
      var failure = FeedFailure(error)
      if let redirect { failure.noteRedirect(to: redirect) }
      return (.failed(failure, response), nil)
    case (.content(let response), nil): return (.failed(FeedFailure(.empty), response), nil)
    }
  }

  private func facts(of feed: Feed, now: Date) -> DocumentFacts {
    let dates = feed.items.compactMap(\.date)
    var document = feed
    (document.items, document.texts, document.description) = ([], [], nil)
    return DocumentFacts(
      feed: document,
      digest: digest,
      rhythm: RefreshSchedule.rhythm(of: dates, now: now),
      hasOneDate: RefreshSchedule.areOfTheDocument(dates),
    )
  }
}
