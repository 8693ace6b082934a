import FeedFetching
import FeedModel
import FeedParsing

/// One source, asked and parsed.
struct FetchedDocument: Sendable {
  /// What was asked for.
  let url: String
  let outcome: FetchOutcome
  /// What is known of the answer, when it was content.
  let head: ResponseHead?
  /// The whole body, where it was to be kept.
  let body: [UInt8]
  /// What the body is; nil when there was none.
  let feed: Result<Feed, FeedParsingError>?
}
