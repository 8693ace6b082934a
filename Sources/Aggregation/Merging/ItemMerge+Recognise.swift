import FeedModel
import FeedStorage

extension ItemMerge {
  /// Recognises stories of a delivery among those that the feed has stored, and updates them.
  mutating func recognise(_ feed: inout DeliveredFeed) throws(StorageError) {
    try recogniseByID(&feed)
    if !feed.stored.isEmpty, feed.positions.contains(where: { $0 == nil }) {
      let known = feed.positions
      let candidates = try candidates(for: feed)
      var matching = DeliveryMatching(feed.delivery, positions: known, candidates: candidates)
      matching.run()
      feed.positions = matching.positions
      for (story, position) in feed.positions.enumerated() where known[story] == nil {
        if let position { try update(position, with: story, of: &feed) }
      }
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
      try update(position, with: story, of: &feed)
    }
  }

  /// Stored stories of the feed that share an id, guid, link or title with one that is open.
  private func candidates(
    for feed: DeliveredFeed
  ) throws(StorageError) -> [DeliveryMatching.Candidate] {
    let wanted = WantedIdentities(feed)
    var candidates: [DeliveryMatching.Candidate] = []
    for position in feed.stored where try wanted.match(position, of: table) {
      let stored = try current(position)
      candidates.append(
        .init(
          position: position,
          id: stored.id,
          keys: IdentityKeys(of: stored.item),
          isOwned: stored.feeds.first == feed.delivery.feed,
        )
      )
    }
    return candidates
  }

  /// Gives a stored story its new content, if the feed is the one that brought it.
  private mutating func update(
    _ position: Int,
    with story: Int,
    of feed: inout DeliveredFeed,
  ) throws(StorageError) {
    var stored = try current(position)
    let item = feed.delivery.items[story]
    guard stored.feeds.first == feed.delivery.feed, stored.item != item else { return }
    stored.item = item
    changed[position] = stored
    feed.findings.updated += 1
  }
}

/// What the stories of a delivery that are not recognised yet could be recognised by.
private struct WantedIdentities {
  private var ids: Set<String> = []
  private var guids: Set<ItemKey> = []
  private var links: Set<ItemKey> = []
  private var titles: Set<String> = []

  init(_ feed: DeliveredFeed) {
    for story in feed.open {
      let item = feed.delivery.items[story]
      ids.insert(feed.delivery.ids[story])
      if let guid = item.guid { guids.insert(ItemID.key(of: Item(guid: guid))) }
      if let link = item.linkKey { links.insert(link) }
      if !item.title.isEmpty { titles.insert(item.title) }
    }
  }

  func match(_ position: Int, of table: some StoryTable) throws(StorageError) -> Bool {
    if ids.contains(try table.id(at: position)) { return true }
    if titles.contains(try table.title(at: position)) { return true }
    if let guid = try table.guid(at: position), guids.contains(ItemID.key(of: Item(guid: guid))) {
      return true
    }
    guard !links.isEmpty else { return false }
    guard let link = Item(link: try table.link(at: position)).linkKey else { return false }
    return links.contains(link)
  }
}
