import FeedModel
import FeedStorage

/// What the stories of a delivery that are not recognised yet could be recognised by.
struct WantedIdentities {
  private var ids: Set<String> = []
  private var titles: Set<String> = []
  private var guids: Set<ItemKey> = []
  private var links: Set<ItemKey> = []
  private var storyKeys: Set<String> = []

  init(_ feed: DeliveredFeed) {
    for story in feed.open {
      let item = feed.delivery.items[story]
      ids.insert(feed.delivery.ids[story])
      if !item.title.isEmpty { titles.insert(item.title) }
      if let guid = item.guidKey { guids.insert(guid) }
      if let link = item.linkKey { links.insert(link) }
      if let key = feed.delivery.storyKeys[story] { storyKeys.insert(key) }
    }
  }

  /// Whether a stored story has any of it. Reads no more of the story than that takes.
  func match<Table: StoryTable>(
    _ position: Int,
    of merge: ItemMerge<Table>,
  ) throws(StorageError) -> Bool {
    if ids.contains(try merge.table.id(at: position)) { return true }
    if let changed = merge.changed[position] {
      return titles.contains(changed.item.title) || matches(changed.item)
    }
    if titles.contains(try merge.table.title(at: position)) { return true }
    let guid = try merge.table.guid(at: position)
    return matches(Item(link: try merge.table.link(at: position), guid: guid))
  }

  private func matches(_ item: Item) -> Bool {
    if let guid = item.guidKey, guids.contains(guid) { return true }
    if !links.isEmpty, let link = item.linkKey, links.contains(link) { return true }
    return !storyKeys.isEmpty && item.possibleStoryKeys.contains(where: storyKeys.contains)
  }
}

extension Item {
  /// The link as an identity; nil without one.
  var linkKey: ItemKey? {
    link.isEmpty ? nil : ItemID.key(of: Item(link: link))
  }

  /// The guid as an identity; nil without one.
  var guidKey: ItemKey? {
    guid == nil ? nil : ItemID.key(of: Item(guid: guid))
  }
}
