package import FeedModel

/// What a run came to: everything that its command prints.
package struct RefreshReport: Sendable {
  package var outcome = Outcome.noData
  /// Stories newer than the newest that was stored for their feed.
  package var new = 0
  /// Stories that were added to the data file, the new ones included.
  package var stored = 0
  /// Feeds asked, and those of them that failed.
  package var asked = 0
  package var failed = 0
  /// From the start of the run until everything was saved.
  package var seconds = 0.0
  /// One for each feed asked, in the order of the subscriptions.
  package var feeds: [FeedReport] = []
  /// The stories that `new` counts, newest first.
  package var newItems = NewItems()
  /// The feeds that were asked for and left alone.
  package var unasked: [UnaskedFeed] = []
  /// The subscriptions at which runs before this one may have died: asked last, or left alone.
  package var suspects: [Subscription] = []
  /// Whether only feeds whose time had come were to be asked.
  package var isOnlyDue = false
  /// How many subscriptions there are.
  package var subscribed = 0
  /// Every host failed at the network: one line says so, and no such feed's schedule has changed.
  package var isOffline = false
  /// The run was cancelled; what had arrived is stored.
  package var wasInterrupted = false
  /// Why the store could not be read or saved, in words; the outcome is then `failed`.
  package var storageError: String?
  /// What else went wrong without harm to the stories, each a sentence without a full stop.
  package var warnings: [String] = []

  package init() {}

  /// Feeds that had new data.
  package var feedsWithNewData: Int {
    feeds.count { $0.outcome == .newData }
  }
}
