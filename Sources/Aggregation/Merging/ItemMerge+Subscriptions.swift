import FeedModel
package import FeedStorage

extension ItemMerge {
  /// What becomes of a feed's stories when it is no longer subscribed to: other feeds keep those
  /// that they carry too; the rest goes, unless it is starred.
  package mutating func unsubscribe(_ feed: String) throws(StorageError) {
    for position in try positions(of: feed) {
      let stored = try current(position)
      let others = stored.feeds.filter { $0 != feed }
      if others.isEmpty, stored.isStarred { continue }
      leave(stored, at: position, to: others)
    }
  }

  /// Gives a feed's stories to its new URL; those that are added by this merge too.
  package mutating func move(_ feed: String, to url: String) throws(StorageError) {
    for position in try positions(of: feed) where !removed.contains(position) {
      var stored = try current(position)
      stored.feeds = Self.moved(stored.feeds, from: feed, to: url)
      changed[position] = stored
    }
    for number in insertions.all.indices where insertions.all[number].feeds.contains(feed) {
      insertions.all[number].feeds = Self.moved(insertions.all[number].feeds, from: feed, to: url)
    }
  }

  private func positions(of feed: String) throws(StorageError) -> [Int] {
    try StoredPositions([FeedDelivery(feed: feed, items: [])], in: table).byDelivery[0]
  }

  /// - Returns: the feeds in the same order, each once.
  private static func moved(_ feeds: [String], from old: String, to new: String) -> [String] {
    var seen: Set<String> = []
    return feeds.map { $0 == old ? new : $0 }.filter { seen.insert($0).inserted }
  }
}
