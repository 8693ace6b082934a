import FeedModel
import FeedStorage

/// Where stories that a feed brings for the first time may be already: among the stories of other
/// feeds, or among those that other deliveries of the same run have brought.
struct StoriesElsewhere {
  private var positionsByKey: [String: [Int]] = [:]
  private var positionsByID: [UInt64: Int] = [:]
  private var insertionsByKey: [String: Int] = [:]
  private var newIDs: Set<UInt64> = []

  /// Looks through all stored stories, once, for those that the deliveries lack.
  init<Table: StoryTable>(
    of feeds: [DeliveredFeed],
    in merge: ItemMerge<Table>,
  ) throws(StorageError) {
    var wanted = WantedStories()
    for feed in feeds { wanted.add(feed, onlyAcrossFeeds: true) }
    guard !wanted.isEmpty, var scanner = merge.table.scanner() else { return }
    for position in 0..<merge.table.count {
      try scanner.move(to: position)
      guard try merge.mayBeOne(position, of: wanted, scanner) else { continue }
      let stored = try merge.current(position)
      if let id = UInt64(stored.id, radix: 16) { positionsByID[id] = position }
      for key in stored.item.possibleStoryKeys {
        positionsByKey[key, default: []].append(position)
      }
    }
  }

  /// Where the story may be; the surest first.
  func positions(of story: Int, in feed: DeliveredFeed) -> [Int] {
    let byID = positionsByID[feed.delivery.ids[story]].map { [$0] } ?? []
    return byID + byKey(story, in: feed)
  }

  /// What the story has in common with the stored one.
  func rule(_ position: Int, of story: Int, in feed: DeliveredFeed) -> StoryMatch.Rule {
    byKey(story, in: feed).contains(position) ? feed.delivery.storyRule(of: story) : .id
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
    let key = feed.delivery.keys[story]
    var id = feed.delivery.ids[story]
    var attempt = 1
    while positionsByID[id] != nil || !newIDs.insert(id).inserted {
      attempt += 1
      id = ItemID.number(feed: "\(feed.delivery.feed) \(attempt)", key: key)
    }
    let digits = String(id, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension ItemID {
  /// The id as the number that its digits stand for.
  static func number(feed: String, key: ItemKey) -> UInt64 {
    // Sixteen hexadecimal digits always are a number.
    UInt64(id(feed: feed, key: key), radix: 16) ?? 0
  }
}

extension Item {
  /// Whether a document's key says that it is this story.
  func has(_ key: ItemKey) -> Bool {
    switch key {
    case .guid: guid != nil && ItemID.key(of: self) == key
    case .link: linkKey == key
    case .titleAndDate: IdentityKeys(of: self).all.contains(key)
    }
  }

  /// The link as an identity; nil without one.
  var linkKey: ItemKey? {
    link.isEmpty ? nil : ItemID.key(of: Item(link: link))
  }

  /// The guid as an identity; nil without one.
  var guidKey: ItemKey? {
    guid == nil ? nil : ItemID.key(of: Item(guid: guid))
  }
}
