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

  /// Gives feeds' stories to their new URLs; those that are added by this merge too.
  ///
  /// All moves of a run at once, in their order: each look for stories goes through all that are
  /// stored.
  package mutating func move(_ moves: [(from: String, to: String)]) throws(StorageError) {
    guard !moves.isEmpty else { return }
    var last: [String: String] = [:]
    for move in moves.reversed() { last[move.from] = last[move.to] ?? move.to }
    for position in try positions(of: Array(last.keys)) where !removed.contains(position) {
      var stored = try current(position)
      stored.feeds = Self.moved(stored.feeds, last)
      changed[position] = stored
    }
    for number in insertions.all.indices
    where insertions.all[number].feeds.contains(where: { last[$0] != nil }) {
      insertions.all[number].feeds = Self.moved(insertions.all[number].feeds, last)
    }
  }

  private func positions(of feed: String) throws(StorageError) -> [Int] {
    try positions(of: [feed])
  }

  /// Positions of the stories that any of the feeds carries, each once.
  private func positions(of feeds: [String]) throws(StorageError) -> [Int] {
    let deliveries = feeds.map { FeedDelivery(feed: $0, items: []) }
    let found = try StoredPositions(deliveries, in: table, now: now).byDelivery
    return feeds.count == 1 ? found[0] : Set(found.joined()).sorted()
  }

  /// - Returns: the feeds in the same order, each once.
  private static func moved(_ feeds: [String], _ moves: [String: String]) -> [String] {
    var seen: Set<String> = []
    return feeds.map { moves[$0] ?? $0 }.filter { seen.insert($0).inserted }
  }
}
