import FeedModel
import FeedStorage

/// What stories that are not recognised yet could be recognised by, as prints.
struct WantedStories {
  private var ids: Set<UInt64> = []
  private var titles: Set<UInt64> = []
  private var guids: Set<UInt64> = []
  private var paths: Set<UInt64> = []

  /// Takes the open stories of a delivery.
  ///
  /// - Parameters:
  ///   - feed: the delivery.
  ///   - onlyAcrossFeeds: leaves out what identifies a story in its own feed only.
  /// - Throws: when one of them cannot be read back.
  mutating func add(_ feed: DeliveredFeed, onlyAcrossFeeds: Bool) throws(StorageError) {
    for story in feed.open {
      ids.insert(feed.delivery.ids[story])
      let item = try feed.delivery.item(story)
      if feed.delivery.storyKey(of: story) != nil, let key = ItemID.storyKey(of: item),
        let path = TextPrint.path(key)
      {
        paths.insert(path)
      }
      if !onlyAcrossFeeds { add(item) }
    }
  }

  /// Takes a story without its id.
  mutating func add(_ item: Item) {
    if !item.title.isEmpty { titles.insert(TextPrint.exact(item.title)) }
    if let guid = item.guid { guids.insert(TextPrint.guid(guid)) }
    if !item.link.isEmpty, let path = TextPrint.path(item.link) { paths.insert(path) }
  }

  var isEmpty: Bool { ids.isEmpty }

  /// Whether the story that the scanner is at may be one of them.
  func mayBeOne(_ scanner: borrowing some StoryScanner) throws(StorageError) -> Bool {
    if let id = try scanner.id(), ids.contains(id) { return true }
    var isFound = false
    if !paths.isEmpty {
      try scanner.withUTF8(of: .link) { isFound = hasWantedPath($0) }
    }
    if !isFound, !paths.isEmpty || !guids.isEmpty {
      try scanner.withUTF8(of: .guid) { isFound = isWantedGUID($0) }
    }
    if !isFound, !titles.isEmpty {
      try scanner.withUTF8(of: .title) { isFound = titles.contains(TextPrint.exact($0)) }
    }
    return isFound
  }

  private func hasWantedPath(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty, !paths.isEmpty else { return false }
    // Dot segments come to more than one print; such links are looked at closely.
    return TextPrint.path(bytes).map(paths.contains) ?? true
  }

  private func isWantedGUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if !guids.isEmpty, guids.contains(TextPrint.guid(bytes)) { return true }
    return bytes.starts(with: "http".utf8) && hasWantedPath(bytes)
  }
}

extension StoryScanner {
  /// The story's id as a number; nil for a story that another program wrote, and that has none.
  func id() throws(StorageError) -> UInt64? {
    var id: UInt64?
    try withUTF8(of: .id) { id = ItemID.number(of: $0) }
    return id
  }
}
