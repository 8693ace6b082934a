import FeedModel
import FeedStorage

/// The stored stories of a feed, by what tells them from others.
struct KnownStories {
  private(set) var count = 0
  private var guids: Set<String> = []
  private var links: Set<String> = []

  init(of feed: String, in items: ItemTable) throws(StorageError) {
    for index in 0..<items.count where try items.feeds(at: index).contains(feed) {
      count += 1
      if let guid = try items.guid(at: index) { guids.insert(guid) }
      let link = try items.link(at: index)
      if !link.isEmpty { links.insert(WebURL.canonical(link)) }
    }
  }

  func contains(_ item: Item) -> Bool {
    if let guid = item.guid, guids.contains(guid) { return true }
    return !item.link.isEmpty && links.contains(WebURL.canonical(item.link))
  }
}
