import FeedModel
import FeedStorage

extension ItemMerge {
  /// Recognises stories of a delivery among those that the feed has stored.
  mutating func recognise(_ feed: inout DeliveredFeed) throws(StorageError) {
    try recogniseByID(&feed)
    if !feed.stored.isEmpty, feed.positions.contains(where: { $0 == nil }) {
      let candidates = try candidates(for: feed)
      var matching = DeliveryMatching(
        feed.delivery,
        positions: feed.positions,
        candidates: candidates,
      )
      matching.run()
      feed.positions = matching.positions
    }
  }

  /// The way that nearly all stories go: the id says which it may be, and its identity that it is.
  private mutating func recogniseByID(_ feed: inout DeliveredFeed) throws(StorageError) {
    guard !feed.stored.isEmpty else { return }
    var stories: [String: Int] = [:]
    for (story, id) in feed.delivery.ids.enumerated() { stories[id] = story }
    for position in feed.stored {
      guard let story = stories[try table.id(at: position)], feed.positions[story] == nil else {
        continue
      }
      guard try current(position).item.has(feed.delivery.keys[story]) else { continue }
      feed.positions[story] = position
    }
  }

  /// Stored stories of the feed that share an id, guid, link or title with one that is open.
  private func candidates(
    for feed: DeliveredFeed
  ) throws(StorageError) -> [DeliveryMatching.Candidate] {
    let wanted = WantedIdentities(feed)
    var candidates: [DeliveryMatching.Candidate] = []
    for position in feed.stored where try wanted.match(position, of: self) {
      let stored = try current(position)
      candidates.append(
        .init(
          position: position,
          id: stored.id,
          keys: IdentityKeys(of: stored.item),
          isNative: stored.isNative(to: feed.delivery.feed),
        )
      )
    }
    return candidates
  }

  /// Gives stored stories their new content, where the feed is the one that brought them.
  mutating func update(_ feed: inout DeliveredFeed) throws(StorageError) {
    for (story, position) in feed.positions.enumerated() {
      guard let position else { continue }
      var stored = try current(position)
      let item = feed.delivery.items[story]
      guard stored.feeds.first == feed.delivery.feed, stored.item != item else { continue }
      stored.item = item
      changed[position] = stored
      feed.findings.updated += 1
    }
  }
}

extension StoredItem {
  /// Whether the feed brought this story, and it has not been renamed since. Others came from a
  /// feed that has left it to this one: their guids are not this feed's.
  fileprivate func isNative(to feed: String) -> Bool {
    feeds.first == feed
      && IdentityKeys(of: item).all.contains { ItemID.id(feed: feed, key: $0) == id }
  }
}
