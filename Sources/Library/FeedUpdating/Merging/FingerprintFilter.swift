import FeedModel
import FeedStorage
import System

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
    if item.hasText(.title) { titles.insert(TextFingerprint.exact(item.title)) }
    if item.hasText(.guid) { guids.insert(item.withRawUTF8(of: .guid, TextFingerprint.guid)) }
    if item.hasText(.link), let path = item.withRawUTF8(of: .link, TextFingerprint.path) {
      paths.insert(path)
    }
  }

  var isEmpty: Bool { ids.isEmpty }

  func mayContain(_ reader: borrowing ItemReader) throws -> Bool {
    if let id = try reader.idNumber(), ids.contains(id) { return true }
    if try !paths.isEmpty && reader.has(.link, hasWantedPath) { return true }
    if !paths.isEmpty || !guids.isEmpty {
      let link = try paths.isEmpty ? nil : reader.text(.link)
      if try reader.has(.guid, { isWantedGUID($0, besides: link) }) { return true }
    }
    guard !titles.isEmpty, let title = try reader.text(.title) else { return false }
    return titles.contains(TextFingerprint.exact(title))
  }

  private func hasWantedPath(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty, !paths.isEmpty else { return false }
    // A path with dot segments has more than one fingerprint, so it needs a close look.
    return TextFingerprint.path(bytes).map(paths.contains) ?? true
  }

  /// Says that a guid, or the path in it, is wanted; that of the link is not.
  private func isWantedGUID(_ bytes: UnsafeRawBufferPointer, besides link: StringBytes?) -> Bool {
    if !guids.isEmpty, guids.contains(TextFingerprint.guid(bytes)) { return true }
    // PERF: most guids that are URLs are the link.
    if case .ascii(let link)? = link, link.count == bytes.count, let start = link.baseAddress,
      let other = bytes.baseAddress, memcmp(start, other, bytes.count) == 0
    {
      return false
    }
    return TextFingerprint.begin(bytes, with: "http") && hasWantedPath(bytes)
  }
}

extension Item {
  fileprivate func withRawUTF8<R>(of text: ItemText, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUTF8(of: text) { body(UnsafeRawBufferPointer($0)) }
  }
}
