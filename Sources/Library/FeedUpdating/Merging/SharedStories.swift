import FeedLibrary
import FeedModel

/// The stories that a delivered one may be: stored ones of other feeds, and those that other
/// deliveries of the run bring.
struct SharedStories {
  private var positionsByKey: [Int: [Int]] = [:]
  private var positionsByID: [UInt64: Int] = [:]
  private var insertionsByKey: [Int: Int] = [:]
  /// Further insertions of a key, on whose words the feeds do not agree.
  private var otherInsertions: [Int: [Int]] = [:]
  private var newIDs: Set<UInt64> = []

  init(expecting count: Int = 0) {
    insertionsByKey.reserveCapacity(count)
    newIDs.reserveCapacity(count)
  }

  /// Adds a stored story; to be called in the order of the table.
  mutating func add(_ story: StoredItem, at position: Int) {
    if let id = ItemID.number(of: story.id.utf8) { positionsByID[id] = position }
    for key in story.item.possibleStoryKeys {
      positionsByKey[key.hashValue, default: []].append(position)
    }
  }

  typealias Match = (
    position: Int, story: StoredItem, rule: StoryMatch.Rule, verdict: StoryWords.Verdict
  )

  /// Finds a stored story with the id that the feed once gave it, with a link that no other has, or
  /// with the link and the title, if `words` do not make it another one.
  func match(
    _ story: Int,
    of delivery: FeedDelivery,
    _ words: StoryWords,
    in stored: (_ position: Int) throws -> StoredItem,
  ) throws -> Match? {
    let byID = positionsByID[delivery.ids[story]].map { [$0] } ?? []
    let byKey = delivery.storyKey(story).flatMap { positionsByKey[$0] } ?? []
    for position in byID + byKey {
      let other = try stored(position)
      guard !other.feeds.contains(delivery.feed) else { continue }
      let (item, isByKey) = (try delivery.item(story), byKey.contains(position))
      if !isByKey, !other.item.has(delivery.key(of: story, item)) { continue }
      if isByKey, byKey.count > 1, item.title != other.item.title { continue }
      let verdict =
        isByKey
        ? try delivery.verdict(on: story, beside: other.item, of: other.feeds, words) : .shared
      if verdict == .separate { continue }
      let rule = isByKey ? try delivery.storyRule(of: story) : .id
      return (position, other, rule, verdict)
    }
    return nil
  }

  mutating func forget(_ story: StoredItem, at position: Int) {
    for key in story.item.possibleStoryKeys {
      positionsByKey[key.hashValue]?.removeAll { $0 == position }
    }
    if let id = ItemID.number(of: story.id.utf8) { positionsByID[id] = nil }
  }

  func insertions(of story: Int, in delivery: FeedDelivery) -> [Int] {
    guard let key = delivery.storyKey(story), let first = insertionsByKey[key] else { return [] }
    return [first] + (otherInsertions[key] ?? [])
  }

  mutating func note(insertion: Int, of story: Int, in delivery: FeedDelivery) {
    guard let key = delivery.storyKey(story) else { return }
    if insertionsByKey[key] == nil {
      insertionsByKey[key] = insertion
    } else {
      otherInsertions[key, default: []].append(insertion)
    }
  }

  /// Returns an id for a new story: that of its identity, unless another story has it.
  ///
  /// That happens when a feed gives the guid of a story that it has renamed to another.
  mutating func newID(of story: Int, in delivery: FeedDelivery) throws -> UInt64 {
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
