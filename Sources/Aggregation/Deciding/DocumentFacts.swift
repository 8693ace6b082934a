package import FeedModel

/// What of a feed's document matters beside its stories.
package struct DocumentFacts: Hashable, Sendable {
  package var title: String?
  package var link: String?
  package var hints = UpdateHints()
  /// Whether nothing is missing at its end.
  package var isComplete = true
  /// A digest of the whole body.
  package var digest: String
  /// How long to wait by the dates of its stories; nil without any.
  package var rhythm: Duration?

  package init(digest: String) {
    self.digest = digest
  }

  package init(_ feed: Feed, digest: String, rhythm: Duration?) {
    title = feed.title
    link = feed.link
    hints = feed.hints
    isComplete = feed.isComplete
    self.digest = digest
    self.rhythm = rhythm
  }
}
