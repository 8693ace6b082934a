import FeedModel
import FeedStorage
import System

/// Rules out stored stories that surely are none of some wanted ones, by fingerprints.
struct FingerprintFilter {
  private var ids: Set<UInt64> = []
  private var titles = FingerprintSet()
  private var guids = FingerprintSet()
  private var paths = FingerprintSet()

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
    let isPath = !item.guidIsPermaLink && addPath(of: item)
    if !isPath, let url = ItemID.canonicalURL(of: item) { addPath(TextFingerprint.path(url)) }
  }

  private mutating func add(_ item: Item) {
    if item.hasText(.title) { titles.insert(TextFingerprint.exact(item.title)) }
    if item.hasText(.guid) { guids.insert(item.withRawUTF8(of: .guid, TextFingerprint.guid)) }
    if item.hasText(.link) { addPath(of: item) }
  }

  @discardableResult
  private mutating func addPath(of item: Item) -> Bool {
    addPath(item.withRawUTF8(of: .link, TextFingerprint.path))
  }

  /// Returns false for a path that may be several.
  @discardableResult
  private mutating func addPath(_ path: UInt32) -> Bool {
    guard path != TextFingerprint.anyPath else { return false }
    paths.insert(path)
    return true
  }

  var isEmpty: Bool { ids.isEmpty }

  func mayContain(_ keys: StoryKeys) -> Bool {
    hasPath(keys.path) || hasPath(keys.guidPath) || guids.contains(keys.guid)
      || titles.contains(keys.title) || ids.contains(keys.id)
  }

  /// A path that may be several needs a close look.
  private func hasPath(_ path: UInt32) -> Bool {
    paths.contains(path) || path == TextFingerprint.anyPath && !paths.isEmpty
  }
}

/// PERF: each is asked about every stored story, and one bit rules out nearly all.
private struct FingerprintSet {
  private var all: Set<UInt32> = []
  private var bits = Array(repeating: UInt64(0), count: 1_024)

  var isEmpty: Bool { all.isEmpty }

  mutating func insert(_ print: UInt32) {
    all.insert(print)
    bits[place(of: print)] |= 1 << (print >> 1 & 63)
  }

  func contains(_ print: UInt32) -> Bool {
    bits[place(of: print)] & 1 << (print >> 1 & 63) != 0 && all.contains(print)
  }

  private func place(of print: UInt32) -> Int { Int(print >> 7 & 1_023) }
}

extension Item {
  fileprivate func withRawUTF8<R>(of text: ItemText, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUTF8(of: text) { body(UnsafeRawBufferPointer($0)) }
  }
}
