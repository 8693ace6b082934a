import FeedModel
import FeedStorage

extension ItemMerge {
  /// Recognises stories of a delivery among those that the feed has stored.
  ///
  /// - Parameters:
  ///   - feed: the delivery.
  ///   - sameID: stored stories of the feed that have the id of one of the delivery's.
  /// - Throws: when the data file cannot be read.
  mutating func recognise(
    _ feed: inout DeliveredFeed,
    sameID: [(story: Int, position: Int)],
  ) throws(StorageError) {
    // The way that nearly all stories go: the id says which it may be, its identity that it is.
    for (story, position) in sameID where feed.positions[story] == nil {
      let key = feed.delivery.key(of: story, try feed.delivery.item(story))
      guard try current(position).item.has(key) else { continue }
      feed.positions[story] = position
    }
    if !feed.stored.isEmpty, feed.positions.contains(where: { $0 == nil }) {
      let candidates = try candidates(for: feed)
      var matching = try DeliveryMatching(
        feed.delivery,
        positions: feed.positions,
        candidates: candidates,
      )
      try matching.run()
      feed.positions = matching.positions
      feed.rules = matching.rules
    }
  }

  /// Stored stories of the feed that share an id, guid, link or title with one that is open.
  private func candidates(
    for feed: DeliveredFeed
  ) throws(StorageError) -> [DeliveryMatching.Candidate] {
    guard var scanner = table.scanner() else { return [] }
    var wanted = WantedStories()
    try wanted.add(feed, onlyAcrossFeeds: false)
    var candidates: [DeliveryMatching.Candidate] = []
    for position in feed.stored {
      try scanner.move(to: position)
      guard try mayBeOne(position, of: wanted, scanner) else { continue }
      let stored = try current(position)
      candidates.append(
        .init(
          position: position,
          id: UInt64(stored.id, radix: 16) ?? 0,
          keys: IdentityKeys(of: stored.item),
          isNative: stored.isNative(to: feed.delivery.feed),
        )
      )
    }
    return candidates
  }

  /// Whether a story that the scanner is at is worth a close look.
  func mayBeOne(
    _ position: Int,
    of wanted: WantedStories,
    _ scanner: borrowing some StoryScanner,
  ) throws(StorageError) -> Bool {
    if changed[position] != nil { return true }
    return try wanted.mayBeOne(scanner)
  }

  /// Gives stored stories their new content, where the feed is the one that brought them.
  mutating func update(_ feed: inout DeliveredFeed) throws(StorageError) {
    for (story, position) in feed.positions.enumerated() {
      guard let position else { continue }
      var stored = try current(position)
      let item = try feed.delivery.item(story)
      guard stored.feeds.first == feed.delivery.feed, stored.item != item else { continue }
      stored.take(item, at: now)
      if let rule = feed.rules[story] {
        stored.note(StoryMatch(feed: feed.delivery.feed, rule: rule, date: now))
      }
      changed[position] = stored
      feed.findings.updated += 1
    }
  }
}

extension StoredItem {
  /// Whether the feed brought this story, and it has not been renamed since.
  ///
  /// Others came from a feed that has left it to this one: their guids are not this feed's.
  fileprivate func isNative(to feed: String) -> Bool {
    feeds.first == feed
      && IdentityKeys(of: item).all.contains { ItemID.id(feed: feed, key: $0) == id }
  }
}
