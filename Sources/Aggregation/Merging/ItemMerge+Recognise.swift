import FeedModel
import FeedStorage

extension ItemMerge {
  /// Recognises the stories of a delivery whose id says which stored one each may be.
  ///
  /// PERF: the way that nearly all stories go. That one is the same is seen where it is found; of
  /// others the identity says whether they are it.
  func recognise(
    _ feed: inout MergedFeed,
    sameID: [StoredPositions.SameID],
  ) throws(StorageError) {
    for same in sameID where feed.positions[same.story] == nil {
      if same.isUnchanged, changed[same.position] == nil {
        feed.isUnchanged[same.story] = true
      } else {
        let item = try feed.delivery.item(same.story)
        let key = feed.delivery.key(of: same.story, item)
        guard try current(same.position).item.has(key) else { continue }
      }
      feed.positions[same.story] = same.position
    }
  }

  /// The stored stories that are worth a close look: those that share an id, guid, link or title
  /// with a delivered one that is not recognised yet.
  ///
  /// PERF: found in one pass for all feeds, since each look at a story far from the last one may
  /// cost a page of the data file.
  func closePositions(to feeds: [MergedFeed]) throws(StorageError) -> Set<Int> {
    var wanted = FingerprintFilter()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: feed.stored.isEmpty) }
    guard !wanted.isEmpty, var reader = ItemReader(table) else { return [] }
    var close: Set<Int> = []
    for position in 0..<table.count {
      try reader.move(to: position)
      if try wanted.mayContain(reader) { close.insert(position) }
    }
    return close
  }

  /// Recognises the other stories of a delivery among those that the feed has stored.
  func recogniseOthers(
    _ feed: inout MergedFeed,
    among close: Set<Int>,
  ) throws(StorageError) {
    guard feed.hasOpen else { return }
    let candidates = try candidates(for: feed, among: close)
    guard !candidates.isEmpty else { return }
    var recognition = try StoryRecognition(
      feed.delivery,
      positions: feed.positions,
      candidates: candidates,
    )
    try recognition.run()
    feed.positions = recognition.positions
    feed.rules = recognition.rules
  }

  private func candidates(
    for feed: MergedFeed,
    among close: Set<Int>,
  ) throws(StorageError) -> [StoryRecognition.Candidate] {
    var candidates: [StoryRecognition.Candidate] = []
    for position in feed.stored where close.contains(position) {
      let stored = try current(position)
      candidates.append(
        .init(
          position: position,
          id: ItemID.number(of: stored.id.utf8),
          keys: IdentityKeys(of: stored.item),
          ownID: stored.feeds.first == feed.delivery.feed ? stored.id : nil,
        )
      )
    }
    return candidates
  }

  /// Gives stored stories their new content, where the feed is the one that brought them.
  mutating func update(_ feed: inout MergedFeed) throws(StorageError) {
    for (story, position) in feed.positions.enumerated() {
      guard let position, !feed.isUnchanged[story] else { continue }
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
