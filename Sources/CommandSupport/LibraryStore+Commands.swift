package import FeedModel
package import FeedStorage

/// Returns the value of `body`; turns an error of the store into one of the command.
package func commandErrors<Result>(_ body: () throws -> Result) throws(CommandError) -> Result {
  try CommandError.converting(body)
}

extension LibraryStore {
  package func library(_ detail: SubscriptionDetail = .whole) throws(CommandError) -> Library {
    try commandErrors { try read(detail) }
  }

  /// The removal by the feeds' settings; all trackers go where these cannot be read.
  package var trackerRemoval: TrackerRemoval {
    TrackerRemoval((try? library(.names))?.subscriptions ?? [])
  }

  package func outlines() throws(CommandError) -> OutlineDocument {
    try commandErrors { try readOutlines() }
  }
}
