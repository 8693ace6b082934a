internal import FeedModel
internal import System

extension LibraryStore {
  /// Drops the notes of a change that was never made, before another is; the caller holds the lock.
  ///
  /// Subscriptions that were saved before the stories that go with them are restored.
  func dropUnmade() throws {
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

  /// Returns the subscriptions before a change that came no further than to them.
  func withoutUnmade(_ subscriptions: [Subscription]) -> [Subscription] {
    guard mayHaveUnmade, let step = try? historyFile().unmade() else { return subscriptions }
    return step.restoring(subscriptions)
  }

  private var mayHaveUnmade: Bool {
    let paths = [path(.history), changesFile.path]
    let noted = paths.compactMap { FileStatus(at: $0)?.modified }.max()
    return noted.map { $0 > FileStatus(at: dataPath)?.modified ?? 0 } ?? false
  }
}
