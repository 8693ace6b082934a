import FeedModel
import FeedStorage

/// Where stories that a feed brings for the first time may be already: among the stories of other
/// feeds, or among those that other deliveries of the same run have brought.
struct OtherFeedMatches {
  private var positionsByKey: [StoryKeyHash: [Int]] = [:]
  private var positionsByID: [UInt64: Int] = [:]
  private var insertionsByKey: [StoryKeyHash: Int] = [:]
  private var newIDs: Set<UInt64> = []

  /// Looks for the stories that the deliveries bring for the first time among those that were close
  /// to what had not been recognised, or have changed.
  init(
    of feeds: [FeedMerge],
    among close: MatchCandidates,
    in merge: ItemMerge,
  ) throws(StorageError) {
    let count = feeds.reduce(0) { sum, feed in sum + feed.positions.count { $0 == nil } }
    insertionsByKey.reserveCapacity(count)
    newIDs.reserveCapacity(count)
    guard var reader = ItemReader(merge.table) else { return }
    var wanted = UnmatchedStories()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: true) }
    guard !wanted.isEmpty else { return }
    for position in close.positions {
      try reader.move(to: position)
      let isWanted = try wanted.mayBeOne(reader)
      guard isWanted || merge.changed[position] != nil else { continue }
      let stored = try merge.current(position)
      if let id = UInt64(stored.id, radix: 16) { positionsByID[id] = position }
      for key in stored.item.possibleStoryKeys {
        positionsByKey[StoryKeyHash(key), default: []].append(position)
      }
    }
  }

  /// Where the story may be; the surest first.
  func positions(of story: Int, in feed: FeedMerge) -> [Int] {
    let byID = positionsByID[feed.delivery.ids[story]].map { [$0] } ?? []
    return byID + byKey(story, in: feed)
  }

  /// What the story has in common with the stored one.
  func rule(
    _ position: Int,
    of story: Int,
    in feed: FeedMerge,
  ) throws(StorageError) -> StoryMatch.Rule {
    guard byKey(story, in: feed).contains(position) else { return .id }
    return try feed.delivery.storyRule(of: story)
  }

  private func byKey(_ story: Int, in feed: FeedMerge) -> [Int] {
    feed.delivery.storyKey(of: story).flatMap { positionsByKey[$0] } ?? []
  }

  /// Whether the stored story is surely the same: it has the id that the feed once gave it, or it
  /// is the only one with its link, or it has the same title too.
  func isSure(
    _ position: Int,
    of story: Int,
    in feed: FeedMerge,
    stored: StoredItem,
  ) throws(StorageError) -> Bool {
    let byKey = byKey(story, in: feed)
    if byKey.count == 1, byKey[0] == position { return true }
    let item = try feed.delivery.item(story)
    if byKey.contains(position) { return stored.item.title == item.title }
    return stored.item.has(feed.delivery.key(of: story, item))
  }

  /// Which story that this run adds it is.
  func insertion(of story: Int, in feed: FeedMerge) -> Int? {
    feed.delivery.storyKey(of: story).flatMap { insertionsByKey[$0] }
  }

  /// Takes note of a story that is added.
  mutating func note(insertion: Int, of story: Int, in feed: FeedMerge) {
    guard let key = feed.delivery.storyKey(of: story), insertionsByKey[key] == nil else { return }
    insertionsByKey[key] = insertion
  }

  /// An id for a new story: that of its identity, unless another story has it.
  ///
  /// That happens when a feed gives the guid of a story that it has renamed to another.
  mutating func newID(of story: Int, in feed: FeedMerge) throws(StorageError) -> UInt64 {
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
