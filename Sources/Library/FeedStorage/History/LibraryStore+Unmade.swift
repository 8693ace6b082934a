internal import FeedModel
internal import System

extension LibraryStore {
  /// Drops from the log a change that was never made, before another is; the caller holds the lock.
  ///
  /// Subscriptions that were saved before the stories that go with them are restored. A change
  /// without stories that was never made has changed no file, and may continue one that was made.
  func dropUnmade() throws {
    guard mayHaveUnmade else { return }
    let history = try historyFile()
    let step = try history.unmade()
    if let step, step.isOfStories { try restoreFeeds(before: step) }
    try history.dropLast(step)
  }

  private func restoreFeeds(before step: HistoryStep) throws {
    let file = SubscriptionsFile(path: subscriptionsPath)
    let feeds = try file.read()
    var restored = feeds
    restored.subscriptions = step.restoring(feeds.subscriptions)
    let count = (try? readItems().count) ?? feeds.savedStories
    if restored != feeds || feeds.savedStories > count {
      restored.savedStories = count
      try file.save(restored)
    }
  }

  /// Returns the subscriptions before a change that came no further than to them.
  func withoutUnmade(_ subscriptions: [Subscription]) -> [Subscription] {
    guard mayHaveUnmade, let step = try? historyFile().unmade(), step.isOfStories else {
      return subscriptions
    }
    return step.restoring(subscriptions)
  }

  /// True where the log has the number of the data file as it is: it has that of before the last
  /// change.
  private var mayHaveUnmade: Bool {
    guard FileStatus(at: path(.history)) != nil else { return false }
    guard let stories = try? FileVersion.stored(at: dataPath) else { return true }
    return (try? FileVersion.stored(at: path(.history))) == stories
  }
}
