import FeedModel
import FeedStorage
import System

/// The second step of a merge: which stories go, but those with a star, that their feed no longer carries.
package enum Retention {
  /// Stories kept of a feed that it no longer carries, where nobody says otherwise.
  package static let usual = 200
  /// As many as earlier versions kept.
  static let former = 1000
  /// The same for a store in which fewer are kept since a date; nil where the reader was not told yet.
  static func usual(since date: Date?, now: Date) -> Int {
    date.map { $0 <= now } == true ? usual : former
  }
  /// Seconds from the notice until fewer are kept.
  static let notice = 86_400.0

  /// The hashes of dropped stories that stay, the latest ones, where so many are new.
  ///
  /// A feed that carried thousands, and shows a few of them for a while, has them dropped at once:
  /// what is beyond `mostRemembered` goes little by little.
  static func remembered(_ hashes: [UInt64], new: Int) -> [UInt64] {
    let old = hashes.count - new
    return hashes.suffix(max(mostRemembered, min(old - old / 64, mostEver)))
  }
  private static let mostRemembered = 500
  private static let mostEver = 5000

  /// Of stories that are not starred, newest first, those beyond the newest `keep`; unread ones after
  /// all that were read.
  static func evicted(read: [Int], unread: [Int], keep: Int) -> [Int] {
    let excess = max(read.count + unread.count - keep, 0)
    return read.suffix(excess) + unread.suffix(max(excess - read.count, 0))
  }
}

extension MergedFeed {
  /// The stored stories that its whole document no longer carries, beyond the newest that are kept.
  func evicted(in table: ItemTable) throws(StorageError) -> [Int] {
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
    return Retention.evicted(read: read, unread: unread, keep: keep)
  }
}
