import FeedModel
import FeedStorage

/// Where stories that a feed brings for the first time may be already: among the stories of other
/// feeds, or among those that other deliveries of the same run have brought.
struct OtherFeedMatches {
  private var positionsByKey: [StoryKeyHash: [Int]] = [:]
  private var positionsByID: [UInt64: Int] = [:]
  private var insertionsByKey: [StoryKeyHash: Int] = [:]
  private var newIDs: Set<UInt64> = []

  /// `close` are the positions of the stories that were close to what had not been recognised, or have
  /// changed.
  init(
    of feeds: [MergedFeed],
    among close: Set<Int>,
    in merge: ItemMerge,
  ) throws(StorageError) {
    let count = feeds.reduce(0) { sum, feed in sum + feed.positions.count { $0 == nil } }
    insertionsByKey.reserveCapacity(count)
    newIDs.reserveCapacity(count)
    guard var reader = ItemReader(merge.table) else { return }
    var wanted = FingerprintFilter()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: true) }
    guard !wanted.isEmpty else { return }
    for position in close.sorted() {
      try reader.move(to: position)
      let isWanted = try wanted.mayContain(reader)
      guard isWanted || merge.changed[position] != nil else { continue }
      let stored = try merge.current(position)
      if let id = ItemID.number(of: stored.id.utf8) { positionsByID[id] = position }
      for key in stored.item.possibleStoryKeys {
        positionsByKey[StoryKeyHash(key), default: []].append(position)
      }
    }
  }

  /// Where the story may be; the surest first.
  func positions(of story: Int, in feed: MergedFeed) -> [Int] {
    let byID = positionsByID[feed.delivery.ids[story]].map { [$0] } ?? []
    return byID + byKey(story, in: feed)
  }

  /// What the story has in common with a stored one that is surely the same: one that has the id
  /// that the feed once gave it, or is the only one with its link, or has the same title too.
  ///
  /// - Returns: nil where it may be another.
  func rule(
    _ position: Int,
    of story: Int,
    in feed: MergedFeed,
    stored: StoredItem,
  ) throws(StorageError) -> StoryMatch.Rule? {
    let byKey = byKey(story, in: feed)
    guard byKey.contains(position) else {
      let key = feed.delivery.key(of: story, try feed.delivery.item(story))
      return stored.item.has(key) ? .id : nil
    }
    if byKey.count > 1, try feed.delivery.item(story).title != stored.item.title { return nil }
    return try feed.delivery.storyRule(of: story)
  }

  private func byKey(_ story: Int, in feed: MergedFeed) -> [Int] {
    feed.delivery.storyKey(of: story).flatMap { positionsByKey[$0] } ?? []
  }

  /// Which story that this run adds it is.
  func insertion(of story: Int, in feed: MergedFeed) -> Int? {
    feed.delivery.storyKey(of: story).flatMap { insertionsByKey[$0] }
  }

  mutating func note(insertion: Int, of story: Int, in feed: MergedFeed) {
    guard let key = feed.delivery.storyKey(of: story), insertionsByKey[key] == nil else { return }
    insertionsByKey[key] = insertion
  }

  /// An id for a new story: that of its identity, unless another story has it.
  ///
  /// That happens when a feed gives the guid of a story that it has renamed to another.
  mutating func newID(of story: Int, in feed: MergedFeed) throws(StorageError) -> UInt64 {
    var id = feed.delivery.ids[story]
    var attempt = 1
    while positionsByID[id] != nil || !newIDs.insert(id).inserted {
      attempt += 1
      let key = feed.delivery.key(of: story, try feed.delivery.item(story))
      id = ItemID.number(feed: "\(feed.delivery.feed) \(attempt)", key: key)
    }
    return id
  }
}

extension Item {
  /// Whether a document's key says that it is this story.
  func has(_ key: ItemKey) -> Bool {
    switch key {
    case .guid: guid != nil && ItemID.key(of: self) == key
    case .link: ItemID.linkKey(link) == key
    case .titleAndDate: IdentityKeys(of: self).all.contains(key)
    }
  }
}
