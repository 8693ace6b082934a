package import FeedModel
package import System

/// The key that a story's id was made of (`ItemID`), found again from what is stored of it.
package struct StoryKey: Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable {
    case guid
    case link
    /// The feed gave the guid to several stories.
    case linkForReusedGUID
    case titleAndDate
    /// Several stories had the guid or link that it has.
    case titleForSharedLink
  }

  package let key: ItemKey
  package let reason: Reason
  package let feed: String
  /// True if the key is of the story's present content; otherwise the feed has changed that since.
  package let isCurrent: Bool

  /// Finds the key that gives the story's id; nil if none that is known does.
  ///
  /// It fails for a story that was renamed more than once, or whose feed has left it. `formerFeeds`
  /// are the URLs of its feeds before they moved.
  package init?(of story: StoredItem, formerFeeds: [String] = []) {
    let feeds = story.feeds + formerFeeds
    for item in [story.item] + story.earlierItems {
      for key in IdentityKeys(of: item).all {
        for feed in feeds where Self.makes(story.id, feed: feed, key: key) {
          self.key = key
          self.feed = feed
          reason = Self.reason(of: key, in: item)
          isCurrent = IdentityKeys(of: story.item).all.contains(key)
          return
        }
      }
    }
    return nil
  }

  /// The most stories that may have wanted one id (`SharedStories.newID`).
  private static let mostAttempts = 8

  private static func makes(_ id: String, feed: String, key: ItemKey) -> Bool {
    ItemID.id(feed: feed, key: key) == id
      || (2...mostAttempts).contains { ItemID.id(feed: "\(feed) \($0)", key: key) == id }
  }

  private static func reason(of key: ItemKey, in item: Item) -> Reason {
    switch key {
    case .guid: .guid
    case .link: item.guid == nil ? .link : .linkForReusedGUID
    case .titleAndDate: item.guid == nil && item.link.isEmpty ? .titleAndDate : .titleForSharedLink
    }
  }
}

extension StoredItem {
  /// The story with its earlier values, all together and each alone.
  fileprivate var earlierItems: [Item] {
    let earlier = changes.filter { [.title, .pubDate, .link, .guid].contains($0.part) }
    guard !earlier.isEmpty else { return [] }
    let each = earlier.map { item.with([$0]) }
    return earlier.count == 1 ? each : [item.with(earlier)] + each
  }
}

extension Item {
  fileprivate func with(_ changes: [StoryChange]) -> Item {
    var item = self
    for change in changes {
      switch change.part {
      case .title: item.title = change.was ?? ""
      case .pubDate: item.pubDate = change.was ?? ""
      case .link: item.link = change.was ?? ""
      case .guid: item.guid = change.was
      case .author, .summary, .categories, .enclosures, .text: break
      }
    }
    return item
  }
}

package struct IdentityKeys {
  package let guid: ItemKey?
  package let link: ItemKey?
  package let title: ItemKey
  /// The title without a date, which tells stories with one link apart.
  package let titleAlone: ItemKey
  /// The keys that other feeds share: the link, and the guid if it is a URL.
  package let storyKeys: [String]
  /// The title and instant, which survive feed software that writes dates in another way.
  package let titleAndInstant: TitleAndInstant?
  let date: Date?

  package init(of item: Item) {
    guid = ItemID.guidKey(item.guid)
    link = ItemID.linkKey(item.link)
    title = ItemID.titleKey(of: item)
    titleAlone = .titleAndDate(title: ItemID.identityTitle(of: item), pubDate: "")
    storyKeys = item.possibleStoryKeys
    titleAndInstant = TitleAndInstant(of: item)
    date = item.date
  }

  package var all: [ItemKey] {
    [guid, link, title, titleAlone == title ? nil : titleAlone].compactMap { $0 }
  }

  package func agrees(with other: IdentityKeys) -> Bool {
    if let date, date == other.date { return true }
    return titleAndInstant?.title == other.titleAndInstant?.title && titleAndInstant != nil
  }
}

/// A title with the story's date, if it has one; nil for an empty title, or a date that is
/// not understood.
package struct TitleAndInstant: Hashable {
  let title: String
  package let date: Date?

  package init?(of item: Item) {
    guard !item.title.isEmpty, item.date != nil || item.pubDate.isEmpty else { return nil }
    title = item.title
    date = item.date
  }
}

extension Item {
  package func has(_ key: ItemKey) -> Bool {
    switch key {
    case .guid: guid != nil && ItemID.key(of: self) == key
    case .link: ItemID.linkKey(link) == key
    case .titleAndDate: IdentityKeys(of: self).all.contains(key)
    }
  }

  /// The keys by which the same story may come from another feed.
  ///
  /// A guid that is a URL is one even if it was not meant as a permanent link: no other story has
  /// it.
  package var possibleStoryKeys: [String] {
    let byLink = ItemID.canonicalPageURL(link)
    guard let guid, guid.utf8.starts(with: "http".utf8) else { return byLink.map { [$0] } ?? [] }
    let byGUID = ItemID.canonicalPageURL(guid)
    return [byLink, byGUID == byLink ? nil : byGUID].compactMap { $0 }
  }
}
