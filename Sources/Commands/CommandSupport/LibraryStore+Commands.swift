package import FeedModel
package import FeedStorage

extension LibraryStore {
  package func library(_ detail: SubscriptionDetail = .whole) throws -> Library {
    try read(detail)
  }

  /// The removal by the feeds' settings; all trackers go where these cannot be read.
  package var trackerRemoval: TrackerRemoval {
    TrackerRemoval((try? library(.names))?.subscriptions ?? [])
  }

  package func outlines() throws -> OutlineDocument {
    try readOutlines()
  }
}
