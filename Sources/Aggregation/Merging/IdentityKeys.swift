import FeedModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Everything that a story may be recognised by when its first key does not decide.
struct IdentityKeys {
  let guid: ItemKey?
  let link: ItemKey?
  let title: ItemKey
  /// The title without a date: what tells stories apart that have one link.
  let titleAlone: ItemKey
  let storyKey: String?
  /// Title and instant: survives a new engine that writes dates in another way.
  let titleAndInstant: TitleAndInstant?
  let date: Date?

  init(of item: Item) {
    guid = item.guid.map { ItemID.key(of: Item(guid: $0)) }
    link = item.link.isEmpty ? nil : ItemID.key(of: Item(link: item.link))
    var bare = Item(title: item.title, pubDate: item.pubDate)
    bare.summary = item.summary
    title = ItemID.key(of: bare)
    bare.pubDate = ""
    titleAlone = ItemID.key(of: bare)
    storyKey = ItemID.storyKey(of: item)
    titleAndInstant = TitleAndInstant(of: item)
    date = item.date
  }

  /// All that a document's key for the story may be.
  var all: [ItemKey] {
    [guid, link, title, titleAlone == title ? nil : titleAlone].compactMap { $0 }
  }

  /// Whether both stories have the same title or the same date.
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
