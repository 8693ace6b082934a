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

  /// True where one of the notes has the number of the data file as it is: they have that of before
  /// the last change.
  private var mayHaveUnmade: Bool {
    let notes = [path(.history), changesFile.path].filter { FileStatus(at: $0) != nil }
    guard !notes.isEmpty, let stories = try? FileVersion.stored(at: dataPath) else {
      return !notes.isEmpty
    }
    return notes.contains { (try? FileVersion.stored(at: $0)) == stories }
  }
}
