package import FeedModel
import FeedStorage

/// The second step of a merge: evicts stories without a star that their feed no longer carries.
package enum Retention {
  package static let usual = 200

  /// The latest hashes of evicted stories, to be remembered; `new` of them are new.
  ///
  /// A feed that carried thousands, and shows few of them for a while, has them evicted at once. So
  /// the excess over `mostRemembered` goes little by little.
  static func remembered(_ hashes: [UInt64], new: Int) -> [UInt64] {
    let old = hashes.count - new
    return hashes.suffix(max(mostRemembered, min(old - old / 64, mostEver)))
  }
  private static let mostRemembered = 500
  private static let mostEver = 5000

  /// The oldest positions beyond `keep`, of stories without a star given newest first; read ones go
  /// before unread ones.
  static func evicted(read: [Int], unread: [Int], keep: Int) -> [Int] {
    let excess = max(read.count + unread.count - keep, 0)
    return read.suffix(excess) + unread.suffix(max(excess - read.count, 0))
  }
}

extension Subscription {
  /// The number of its stories to keep that its document no longer carries; 0 keeps all.
  ///
  /// Older stories that the user has asked for are not to go with the next fetch.
  package var keptStories: Int {
    settings.keep ?? (state.older == nil ? Retention.usual : 0)
  }
}

extension MergedFeed {
  func evicted(in table: ItemTable) throws -> [Int] {
    let keep = delivery.keep
    guard keep > 0, delivery.isComplete, stored.count > keep else { return [] }
    let carried = Set(recognised.compactMap(\.position))
    guard stored.count - carried.count > keep else { return [] }
    var read: [Int] = []
    var unread: [Int] = []
    let vanished = stored.lazy.filter { !carried.contains($0) }
    try table.forEachStory(at: vanished) { position, story in
      guard try !story.isStarred() else { return }
      if try story.isRead() { read.append(position) } else { unread.append(position) }
    }
    return Retention.evicted(read: read, unread: unread, keep: keep)
  }
}
