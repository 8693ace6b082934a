import FeedModel
import FeedStorage

/// The second step of a merge: which stories go, but those with a star, that their feed no longer carries.
package enum Retention {
  package static let usual = 1000
  /// The most hashes of dropped stories that are kept of a feed; the latest ones.
  static let mostRemembered = 5000

  /// Of stories that are not starred, newest first, those beyond the newest `keep`; unread ones after
  /// all that were read.
  static func dropped(read: [Int], unread: [Int], keep: Int) -> [Int] {
    let excess = max(read.count + unread.count - keep, 0)
    return read.suffix(excess) + unread.suffix(max(excess - read.count, 0))
  }
}

extension MergedFeed {
  /// The stored stories that its whole document no longer carries, beyond the newest that are kept.
  func dropped(in table: ItemTable) throws(StorageError) -> [Int] {
    let keep = delivery.keep
    guard keep > 0, delivery.isComplete, stored.count > keep else { return [] }
    let carried = Set(recognised.compactMap(\.position))
    guard stored.count - carried.count > keep else { return [] }
    var read: [Int] = []
    var unread: [Int] = []
    let vanished = stored.lazy.filter { !carried.contains($0) }
    try table.forEachStory(at: vanished) { position, story throws(StorageError) in
      guard try !story.isStarred() else { return }
      if try story.isRead() { read.append(position) } else { unread.append(position) }
    }
    return Retention.dropped(read: read, unread: unread, keep: keep)
  }
}
