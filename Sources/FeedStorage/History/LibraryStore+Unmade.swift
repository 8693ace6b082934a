internal import FeedModel
internal import System

/// What is noted of a change before it is made, where a process was stopped in between.
extension LibraryStore {
  /// Drops what is noted of a change that was never made, before another is; the caller holds the lock.
  ///
  /// Subscriptions go before the stories that go with them: those are followed again.
  func dropUnmade() throws(StorageError) {
    let (history, changes) = (try historyFile(), changesFile)
    let noted = [history.path, changes.path].compactMap { FileStatus(at: $0)?.modified }.max()
    guard let noted, noted > FileStatus(at: dataPath)?.modified ?? 0 else { return }
    let step = try history.unmade()
    try changes.dropLast(madeWith: step)
    guard let step else { return }
    let file = SubscriptionsFile(path: subscriptionsPath)
    let (subscriptions, retryTimes, stories, _, _, _) = try file.read()
    var restored = subscriptions
    for fact in step.feeds where fact.new == nil {
      guard let old = fact.old, !restored.contains(where: { $0.url == old.url }) else { continue }
      restored.insert(old, after: fact.previous)
    }
    if restored != subscriptions {
      try file.save(restored, retryTimes: retryTimes, stories: stories, after: {})
    }
    try history.dropLast()
  }
}
