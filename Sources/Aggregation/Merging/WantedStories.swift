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
  mutating func add(_ feed: DeliveredFeed, onlyAcrossFeeds: Bool) {
    for story in feed.open {
      ids.insert(feed.delivery.ids[story])
      if let key = feed.delivery.storyKeys[story], let path = TextPrint.path(key) {
        paths.insert(path)
      }
      if !onlyAcrossFeeds { add(feed.delivery.items[story]) }
    }
  }

  private mutating func add(_ item: Item) {
    if !item.title.isEmpty { titles.insert(TextPrint.exact(item.title)) }
    if let guid = item.guid { guids.insert(TextPrint.guid(guid)) }
    if !item.link.isEmpty, let path = TextPrint.path(item.link) { paths.insert(path) }
  }

  var isEmpty: Bool { ids.isEmpty }

  /// Whether the story that the scanner is at may be one of them.
  func mayBeOne(_ scanner: borrowing some StoryScanner) throws(StorageError) -> Bool {
    if ids.contains(try scanner.id() ?? 0) { return true }
    if !paths.isEmpty {
      if try scanner.withUTF8(of: .link, hasWantedPath) ?? false { return true }
      if try scanner.withUTF8(of: .guid, isWantedURL) ?? false { return true }
    }
    if !titles.isEmpty {
      let title = try scanner.withUTF8(of: .title) { titles.contains(TextPrint.exact($0)) }
      if title ?? false { return true }
    }
    guard !guids.isEmpty else { return false }
    return try scanner.withUTF8(of: .guid) { guids.contains(TextPrint.guid($0)) } ?? false
  }

  private func hasWantedPath(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return false }
    // Dot segments come to more than one print; such links are looked at closely.
    return TextPrint.path(bytes).map(paths.contains) ?? true
  }

  private func isWantedURL(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: "http".utf8) && hasWantedPath(bytes)
  }
}

extension StoryScanner {
  /// The story's id as a number; nil for a story that another program wrote, and that has none.
  func id() throws(StorageError) -> UInt64? {
    try withUTF8(of: .id) { bytes in
      guard bytes.count == 16 else { return nil }
      var number: UInt64 = 0
      for byte in bytes {
        switch byte {
        case 0x30...0x39: number = number << 4 | UInt64(byte - 0x30)
        case 0x61...0x66: number = number << 4 | UInt64(byte - 0x61 + 10)
        default: return nil
        }
      }
      return number
    } ?? nil
  }
}
