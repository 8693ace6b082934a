import FeedModel
import FeedStorage

/// Where stories that a feed brings for the first time may be already: among the stories of other
/// feeds, or among those that other deliveries of the same run have brought.
struct StoriesElsewhere {
  private var positionsByKey: [String: [Int]] = [:]
  private var positionsByID: [String: Int] = [:]
  private var insertionsByKey: [String: Int] = [:]
  private var newIDs: Set<String> = []

  /// Looks through all stored stories, once, for those that the deliveries lack.
  init<Table: StoryTable>(
    of feeds: [DeliveredFeed],
    in merge: ItemMerge<Table>,
  ) throws(StorageError) {
    var keys: Set<String> = []
    var ids: Set<String> = []
    for feed in feeds {
      for story in feed.open {
        ids.insert(feed.delivery.ids[story])
        if let key = feed.delivery.storyKeys[story] { keys.insert(key) }
      }
    }
    guard !ids.isEmpty else { return }
    for position in 0..<merge.table.count {
      let id = try merge.table.id(at: position)
      if ids.contains(id) { positionsByID[id] = position }
      for key in try merge.possibleStoryKeys(position) where keys.contains(key) {
        positionsByKey[key, default: []].append(position)
      }
    }
  }

  /// Where the story may be; the surest first.
  func positions(of story: Int, in feed: DeliveredFeed) -> [Int] {
    let byID = positionsByID[feed.delivery.ids[story]].map { [$0] } ?? []
    return byID + byKey(story, in: feed)
  }

  private func byKey(_ story: Int, in feed: DeliveredFeed) -> [Int] {
    feed.delivery.storyKeys[story].flatMap { positionsByKey[$0] } ?? []
  }

  /// Whether the stored story is surely the same: it has the id that the feed once gave it, or it
  /// is the only one with its link, or it has the same title too.
  func isSure(
    _ position: Int,
    of story: Int,
    in feed: DeliveredFeed,
    stored: StoredItem,
  ) -> Bool {
    let byKey = byKey(story, in: feed)
    if byKey.contains(position) {
      return byKey.count == 1 || stored.item.title == feed.delivery.items[story].title
    }
    return stored.item.has(feed.delivery.keys[story])
  }

  /// Which story that this run adds it is.
  func insertion(of story: Int, in feed: DeliveredFeed) -> Int? {
    feed.delivery.storyKeys[story].flatMap { insertionsByKey[$0] }
  }

  /// Takes note of a story that is added.
  mutating func note(insertion: Int, of story: Int, in feed: DeliveredFeed) {
    guard let key = feed.delivery.storyKeys[story], insertionsByKey[key] == nil else { return }
    insertionsByKey[key] = insertion
  }

  /// An id for a new story: that of its identity, unless another story has it.
  ///
  /// That happens when a feed gives the guid of a story that it has renamed to another.
  mutating func newID(of story: Int, in feed: DeliveredFeed) -> String {
    var id = feed.delivery.ids[story]
    var attempt = 1
    while positionsByID[id] != nil || !newIDs.insert(id).inserted {
      attempt += 1
      let feed = feed.delivery
      id = ItemID.id(feed: "\(feed.feed) \(attempt)", key: feed.keys[story])
    }
    return id
  }
}

extension Item {
  /// Whether a document's key says that it is this story.
  func has(_ key: ItemKey) -> Bool {
    switch key {
    case .guid: guid != nil && ItemID.key(of: self) == key
    case .link: linkKey == key
    case .titleAndDate:
      IdentityKeys(of: self).all.contains(key)
    }
  }
}
