package import FeedModel
import System

/// The key that a story's id was made of, by `ItemID`, found again from what is stored of it.
package struct StoryKey: Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable {
    case guid
    /// It has no guid.
    case link
    /// Its feed gave the guid to several stories.
    case linkForReusedGUID
    /// It has neither guid nor link.
    case titleAndDate
    /// Several stories had the guid or link that it has.
    case titleForSharedLink
  }

  package let key: ItemKey
  package let reason: Reason
  /// The subscription's URL when it was stored.
  package let feed: String
  /// Whether it is of what the story has now; else the feed has renamed it since.
  package let isCurrent: Bool

  /// Looks for the key whose id the story has; nil when the id follows from nothing that is known.
  ///
  /// So it is for a story that was renamed more than once, or that a feed brought which has left it.
  /// `formerFeeds` are the URLs that its feeds had before they moved.
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

  /// How many stories may have wanted one id: see `SharedStories.newID`.
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
  /// What the story may have been when it was stored: with the earlier values of what has changed,
  /// each alone and all together.
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

/// Everything that a story may be recognised by when its first key does not decide.
struct IdentityKeys {
  let guid: ItemKey?
  let link: ItemKey?
  let title: ItemKey
  /// The title without a date: what tells stories apart that have one link.
  let titleAlone: ItemKey
  /// What other feeds may know it by: by its link, and by its guid where that is a URL.
  let storyKeys: [String]
  /// Title and instant: survives a new engine that writes dates in another way.
  let titleAndInstant: TitleAndInstant?
  let date: Date?

  init(of item: Item) {
    guid = ItemID.guidKey(item.guid)
    link = ItemID.linkKey(item.link)
    title = ItemID.titleKey(of: item)
    titleAlone = .titleAndDate(title: ItemID.identityTitle(of: item), pubDate: "")
    storyKeys = item.possibleStoryKeys
    titleAndInstant = TitleAndInstant(of: item)
    date = item.date
  }

  var all: [ItemKey] {
    [guid, link, title, titleAlone == title ? nil : titleAlone].compactMap { $0 }
  }

  func agrees(with other: IdentityKeys) -> Bool {
    if let date, date == other.date { return true }
    return titleAndInstant?.title == other.titleAndInstant?.title && titleAndInstant != nil
  }
}

/// A title that is not empty, with the story's date where it has one.
struct TitleAndInstant: Hashable {
  let title: String
  let date: Date?

  init?(of item: Item) {
    guard !item.title.isEmpty, item.date != nil || item.pubDate.isEmpty else { return nil }
    title = item.title
    date = item.date
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

  /// The keys by which the same story may come from another feed.
  ///
  /// A guid that is a URL is one even where it was not meant as a permanent link: no other story has
  /// it.
  var possibleStoryKeys: [String] {
    let byLink = ItemID.canonicalPageURL(link)
    guard let guid, guid.utf8.starts(with: "http".utf8) else { return byLink.map { [$0] } ?? [] }
    let byGUID = ItemID.canonicalPageURL(guid)
    return [byLink, byGUID == byLink ? nil : byGUID].compactMap { $0 }
  }
}
