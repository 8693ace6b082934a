import FeedModel
import System

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
    titleAlone = .titleAndDate(title: ItemID.title(of: item), pubDate: "")
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
  /// The keys by which the same story may come from another feed.
  ///
  /// A guid that is a URL is one even where it was not meant as a permanent link: no other story has
  /// it.
  var possibleStoryKeys: [String] {
    let byLink = ItemID.storyURL(link)
    guard let guid, guid.utf8.starts(with: "http".utf8) else { return byLink.map { [$0] } ?? [] }
    let byGUID = ItemID.storyURL(guid)
    return [byLink, byGUID == byLink ? nil : byGUID].compactMap { $0 }
  }
}
