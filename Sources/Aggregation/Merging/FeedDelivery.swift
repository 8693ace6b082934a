package import FeedModel

/// The stories that came back from one feed, with their identities.
///
/// Everything here follows from the document alone, so that the threads that parse can make it.
package struct FeedDelivery: Sendable {
  /// The subscription's URL.
  package let feed: String
  /// In document order; of several that are the same story only the first.
  package let items: [Item]
  /// Whether the document was whole; what a part of one lacks has not vanished.
  package let isComplete: Bool
  /// The request that brought them; nil where nobody wants to know.
  package var origin: StoryOrigin?
  let keys: [ItemKey]
  /// The ids that the stories get if they are new, as numbers.
  let ids: [UInt64]
  /// What identifies them in other feeds too; nil for those that nothing does.
  let storyKeys: [String?]

  package init(feed: String, items: [Item], isComplete: Bool = true) {
    let keys = ItemID.keys(of: items)
    var seen: Set<ItemKey> = []
    let kept = items.indices.filter { !items[$0].isEmpty && seen.insert(keys[$0]).inserted }
    self.feed = feed
    self.isComplete = isComplete
    self.items = kept.count == items.count ? items : kept.map { items[$0] }
    self.keys = kept.count == items.count ? keys : kept.map { keys[$0] }
    storyKeys = ItemID.storyKeys(of: self.items, keys: self.keys)
    ids = self.keys.map { ItemID.number(feed: feed, key: $0) }
  }
}

extension FeedDelivery {
  /// Whether it is the guid of a story or its link that other feeds may know it by.
  func storyRule(of story: Int) -> StoryMatch.Rule {
    let item = items[story]
    guard item.guidIsPermaLink, item.guid != nil else { return .link }
    return ItemID.storyKey(of: Item(link: item.link)) == storyKeys[story] ? .link : .guid
  }
}

extension Item {
  /// Nothing that a reader could read or open.
  fileprivate var isEmpty: Bool {
    title.isEmpty && link.isEmpty && guid == nil && summary == nil && enclosures.isEmpty
  }
}
