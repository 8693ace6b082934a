import FeedModel
import FeedStorage

/// Rules out stored stories that surely are none of some wanted ones, by fingerprints.
struct FingerprintFilter {
  private var ids: Set<UInt64> = []
  private var titles: Set<UInt64> = []
  private var guids: Set<UInt64> = []
  private var paths: Set<UInt64> = []

  /// Adds the unrecognised stories of a delivery; with `onlyAcrossFeeds`, without what identifies a
  /// story in its own feed alone.
  mutating func add(_ feed: MergedFeed, onlyAcrossFeeds: Bool) throws {
    for story in feed.new {
      ids.insert(feed.delivery.ids[story])
      let item = try feed.delivery.item(story)
      if feed.delivery.storyKey(story) != nil { addStoryKey(of: item) }
      if !onlyAcrossFeeds { add(item) }
    }
  }

  private mutating func addStoryKey(of item: Item) {
    // A link has the fingerprint of its canonical form, which takes longer to make.
    let path = item.guidIsPermaLink ? nil : item.withRawUTF8(of: .link, TextFingerprint.path)
    if let path = path ?? ItemID.canonicalURL(of: item).flatMap({ TextFingerprint.path($0) }) {
      paths.insert(path)
    }
  }

  private mutating func add(_ item: Item) {
    if item.hasText(.title) { titles.insert(item.withRawUTF8(of: .title, TextFingerprint.exact)) }
    if item.hasText(.guid) { guids.insert(item.withRawUTF8(of: .guid, TextFingerprint.guid)) }
    if item.hasText(.link), let path = item.withRawUTF8(of: .link, TextFingerprint.path) {
      paths.insert(path)
    }
  }

  var isEmpty: Bool { ids.isEmpty }

  func mayContain(_ reader: borrowing ItemReader) throws -> Bool {
    if let id = try reader.idNumber(), ids.contains(id) { return true }
    var isFound = false
    if !paths.isEmpty {
      try reader.withUTF8(of: .link) { isFound = hasWantedPath($0) }
    }
    if !isFound, !paths.isEmpty || !guids.isEmpty {
      try reader.withUTF8(of: .guid) { isFound = isWantedGUID($0) }
    }
    if !isFound, !titles.isEmpty {
      try reader.withUTF8(of: .title) { isFound = titles.contains(TextFingerprint.exact($0)) }
    }
    return isFound
  }

  private func hasWantedPath(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty, !paths.isEmpty else { return false }
    // A path with dot segments has more than one fingerprint, so it needs a close look.
    return TextFingerprint.path(bytes).map(paths.contains) ?? true
  }

  private func isWantedGUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if !guids.isEmpty, guids.contains(TextFingerprint.guid(bytes)) { return true }
    return TextFingerprint.begin(bytes, with: "http") && hasWantedPath(bytes)
  }
}

extension Item {
  fileprivate func withRawUTF8<R>(of text: ItemText, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUTF8(of: text) { body(UnsafeRawBufferPointer($0)) }
  }
}
