import FeedModel
import FeedStorage

/// The second step of a merge: which stories go that their feed no longer carries (design 3,
/// Retention).
enum Retention {
  /// Of stories that are not starred, newest first, those beyond the newest `keep`; unread ones after
  /// all that were read.
  static func dropped(read: [Int], unread: [Int], keep: Int) -> [Int] {
    let excess = max(read.count + unread.count - keep, 0)
    return read.suffix(excess) + unread.suffix(max(excess - read.count, 0))
  }
}

extension ItemMerge {
  /// The most hashes of dropped stories that are kept of a feed; the latest ones.
  private static var mostDropped: Int { 5000 }

  /// Drops stories that the whole document of a feed no longer carries, beyond the newest `keep`;
  /// with 0, none.
  ///
  /// A story that other feeds carry stays with them.
  mutating func retain(_ keep: Int, of feed: inout MergedFeed) throws(StorageError) {
    guard keep > 0, feed.delivery.isComplete, feed.stored.count > keep else { return }
    let carried = Set(feed.positions.compactMap { $0 })
    guard feed.stored.count - carried.count > keep else { return }
    var read: [Int] = []
    var unread: [Int] = []
    let left = feed.stored.lazy.filter { !carried.contains($0) }
    try table.forEachStory(at: left) { position, story throws(StorageError) in
      guard try !story.isStarred() else { return }
      if try story.isRead() { read.append(position) } else { unread.append(position) }
    }
    for position in Retention.dropped(read: read, unread: unread, keep: keep) {
      try drop(position, from: &feed)
    }
    feed.findings.dropped = feed.findings.dropped.suffix(Self.mostDropped)
  }

  private mutating func drop(
    _ position: Int,
    from feed: inout MergedFeed,
  ) throws(StorageError) {
    let stored = try current(position)
    let name = feed.delivery.feed
    let ids = [stored.id, ItemID.id(feed: name, key: ItemID.key(of: stored.item))]
    feed.findings.dropped += Set(ids.compactMap { UInt64($0, radix: 16) }).sorted()
    leave(stored, at: position, to: stored.feeds.filter { $0 != name })
  }
}
