package import FeedModel
package import FeedStorage

extension LibraryStore {
  /// The removal by the feeds' settings; all trackers go where these cannot be read.
  package var trackerRemoval: TrackerRemoval {
    TrackerRemoval((try? read(.names))?.subscriptions ?? [])
  }
}
