package import FeedModel
package import System

/// What a visit to a feed showed that matters for when to come back.
package struct Visit: Hashable, Sendable {
  /// The subscription's URL, which seeds the jitter.
  package var url: String
  /// Whether the next request can be conditional.
  package var hasValidators = false
  /// How much longer the answer is fresh (`max-age` or `Expires`, less `Age`); nil when not said.
  package var freshness: Duration?
  package var hints = UpdateHints()
  /// How long to wait by the feed's own rhythm; nil when its stories have no dates.
  package var rhythm: Duration?
  /// Until when a server wants the feed to be left in peace.
  package var hold: Date?
  /// Failures in a row, this one included; 0 after a success.
  package var failures = 0
  /// Whether it may be this machine that failed and not the feed.
  package var mayBeOffline = false
  /// The status of a failed answer; nil when there was none.
  package var status: Int?

  package init(url: String) {
    self.url = url
  }
}
