import FeedModel
import FeedStorage
import System

extension ItemMerge {
  /// Finds the document's newest story, and whether anything stored of the feed is newer.
  ///
  /// - Parameters:
  ///   - feed: the delivery, whose findings it fills in.
  ///   - before: the instant of the feed's newest story in the store.
  /// - Throws: when the data file cannot be read.
  func findNewest(_ feed: inout FeedMerge, before: Double?) throws(StorageError) {
    var newest: (story: Int, instant: Double)?
    for story in feed.delivery.stories.indices {
      guard let instant = try instant(of: story, in: feed) else { continue }
      if let newest, newest.instant >= instant { continue }
      newest = (story, instant)
    }
    let story = newest?.story ?? 0
    guard story < feed.delivery.stories.count else { return }
    feed.findings.newestTitle = try feed.delivery.item(story).title
    feed.findings.newestIsOnTop = isOnTop(
      story,
      instant: newest?.instant,
      in: feed,
      before: before,
    )
  }

  /// The story's date; as of when it was stored, or now, where that is in the future.
  private func instant(of story: Int, in feed: FeedMerge) throws(StorageError) -> Double? {
    guard let date = feed.delivery.date(of: story) else { return nil }
    let stored = date > now ? try feed.positions[story].flatMap(table.stored(at:)) : nil
    return StoryTime.place(date: date, stored: stored ?? now, now: now)
  }

  private func isOnTop(
    _ story: Int,
    instant: Double?,
    in feed: FeedMerge,
    before: Double?,
  ) -> Bool {
    guard let before else { return true }
    if let position = feed.positions[story] { return position == feed.stored.first }
    return instant ?? now.timeIntervalSinceReferenceDate >= before
  }
}
