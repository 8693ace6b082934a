internal import FeedModel
internal import System

/// What is noted of a change before it is made, where a process was stopped in between.
extension LibraryStore {
  /// Drops what is noted of a change that was never made, before another is; the caller holds the lock.
  ///
  /// Subscriptions go before the stories that go with them: they are as they were again.
  func dropUnmade() throws(StorageError) {
    guard mayHaveUnmade else { return }
    let history = try historyFile()
    let step = try history.unmade()
    try changesFile.dropLast(madeWith: step)
    guard let step else { return }
    let file = SubscriptionsFile(path: subscriptionsPath)
    let feeds = try file.read()
    var restored = feeds
    restored.subscriptions = step.restoring(feeds.subscriptions)
    let count = (try? readItems().count) ?? feeds.savedStories
    if restored != feeds || feeds.savedStories > count {
      restored.savedStories = count
      try file.save(restored)
    }
    try history.dropLast()
  }

  /// Returns subscriptions as they were before a change that came no further than to them.
  func withoutUnmade(_ subscriptions: [Subscription]) -> [Subscription] {
    guard mayHaveUnmade, let step = try? historyFile().unmade() else { return subscriptions }
    return step.restoring(subscriptions)
  }

  /// Whether anything was noted since the stories were saved.
  private var mayHaveUnmade: Bool {
    let paths = [path("history.plist"), changesFile.path]
    let noted = paths.compactMap { FileStatus(at: $0)?.modified }.max()
    return noted.map { $0 > FileStatus(at: dataPath)?.modified ?? 0 } ?? false
  }
}
