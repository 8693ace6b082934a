import FeedModel

/// What a file of subscriptions gave.
struct ImportedList: Hashable, Sendable {
  /// Something that cannot be followed, as the file has it, and why.
  struct Refusal: Hashable, Sendable {
    let text: String
    let reason: String
  }

  /// Feeds taken from one file.
  static let maximumFeeds = 10_000

  var subscriptions: [Subscription] = []
  var refused: [Refusal] = []
  /// The document that it was, with the URLs of `subscriptions` in its elements; nil where the file
  /// has no more to say than they do.
  var document: OutlineDocument?
  /// The file ends before its end.
  var isCutShort = false

  mutating func refuse(_ text: String, _ reason: String = "not an http or https URL") {
    refused.append(Refusal(text: text, reason: reason))
  }
}
