import FeedModel
import FeedStorage

/// Where stories that a feed brings for the first time may be already: among the stored stories of
/// other feeds, or among those that other deliveries of the same run have brought.
struct SharedStories {
  /// By `FeedDelivery.storyKey`.
  private var positionsByKey: [Int: [Int]] = [:]
  private var positionsByID: [UInt64: Int] = [:]
  private var insertionsByKey: [Int: Int] = [:]
  private var newIDs: Set<UInt64> = []

  init(expecting count: Int = 0) {
    insertionsByKey.reserveCapacity(count)
    newIDs.reserveCapacity(count)
  }

  /// Takes in a stored story; the stories are to come in the order of the table.
  mutating func add(_ story: StoredItem, at position: Int) {
    if let id = ItemID.number(of: story.id.utf8) { positionsByID[id] = position }
    for key in story.item.possibleStoryKeys {
      positionsByKey[key.hashValue, default: []].append(position)
    }
  }

  /// A delivered story that another feed's stored one surely is, and what the two have in common.
  typealias Match = (position: Int, story: StoredItem, rule: StoryMatch.Rule)

  /// They have the id that the feed once gave it, or a link that no other has, or a link and the title.
  func match(
    _ story: Int,
    of delivery: FeedDelivery,
    in stored: (_ position: Int) throws(StorageError) -> StoredItem,
  ) throws(StorageError) -> Match? {
    let byID = positionsByID[delivery.ids[story]].map { [$0] } ?? []
    let byKey = delivery.storyKey(story).flatMap { positionsByKey[$0] } ?? []
    for position in byID + byKey {
      let other = try stored(position)
      guard !other.feeds.contains(delivery.feed) else { continue }
      if !byKey.contains(position) {
        let key = delivery.key(of: story, try delivery.item(story))
        if other.item.has(key) { return (position, other, .id) }
        continue
      }
      if byKey.count > 1, try delivery.item(story).title != other.item.title { continue }
      return (position, other, try delivery.storyRule(of: story))
    }
    return nil
  }

  /// Which story that this run adds a delivered one is.
  func insertion(of story: Int, in delivery: FeedDelivery) -> Int? {
    delivery.storyKey(story).flatMap { insertionsByKey[$0] }
  }

  mutating func note(insertion: Int, of story: Int, in delivery: FeedDelivery) {
    guard let key = delivery.storyKey(story), insertionsByKey[key] == nil else { return }
    insertionsByKey[key] = insertion
  }

  /// An id for a new story: that of its identity, unless another story has it.
  ///
  /// That happens when a feed gives the guid of a story that it has renamed to another.
  mutating func newID(of story: Int, in delivery: FeedDelivery) throws(StorageError) -> UInt64 {
    var id = delivery.ids[story]
    var attempt = 1
    while positionsByID[id] != nil || !newIDs.insert(id).inserted {
      attempt += 1
      let key = delivery.key(of: story, try delivery.item(story))
      id = ItemID.number(feed: "\(delivery.feed) \(attempt)", key: key)
    }
    return id
  }
}
