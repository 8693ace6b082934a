import FeedModel
import FeedStorage

/// What stories that are not recognised yet could be recognised by, as prints.
struct UnmatchedStories {
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
  mutating func add(_ feed: FeedMerge, onlyAcrossFeeds: Bool) throws(StorageError) {
    for story in feed.open {
      ids.insert(feed.delivery.ids[story])
      let item = try feed.delivery.item(story)
      if feed.delivery.storyKey(of: story) != nil { addStoryKey(of: item) }
      if !onlyAcrossFeeds { add(item) }
    }
  }

  private mutating func addStoryKey(of item: Item) {
    // The print of a link is that of its canonical spelling, which takes longer to make.
    let path = item.guidIsPermaLink ? nil : item.withRawUTF8(of: .link, TextFingerprint.path)
    if let path = path ?? ItemID.storyKey(of: item).flatMap({ TextFingerprint.path($0) }) {
      paths.insert(path)
    }
  }

  mutating func add(_ item: Item) {
    if item.hasText(.title) { titles.insert(item.withRawUTF8(of: .title, TextFingerprint.exact)) }
    if item.hasText(.guid) { guids.insert(item.withRawUTF8(of: .guid, TextFingerprint.guid)) }
    if item.hasText(.link), let path = item.withRawUTF8(of: .link, TextFingerprint.path) {
      paths.insert(path)
    }
  }

  var isEmpty: Bool { ids.isEmpty }

  func mayBeOne(_ reader: borrowing ItemReader) throws(StorageError) -> Bool {
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
    // Dot segments come to more than one print; such links are looked at closely.
    return TextFingerprint.path(bytes).map(paths.contains) ?? true
  }

  private func isWantedGUID(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if !guids.isEmpty, guids.contains(TextFingerprint.guid(bytes)) { return true }
    return TextFingerprint.begin(bytes, with: "http") && hasWantedPath(bytes)
  }
}

extension Item {
  fileprivate func withRawUTF8<R>(
    of text: ItemText,
    _ body: (UnsafeRawBufferPointer) -> R,
  ) -> R {
    withUTF8(of: text) { body(UnsafeRawBufferPointer($0)) }
  }
}

/// The stored stories that are worth a close look: those that share an id, guid, link or title with
/// a delivered one that is not recognised yet, or were changed.
///
/// PERF: found in one pass for all feeds, since each look at a story far from the last one may cost
/// a page of the data file.
struct MatchCandidates {
  /// By position in the table; none when there are no close ones.
  private var isClose: [Bool] = []

  init(
    to feeds: [FeedMerge],
    in merge: ItemMerge,
  ) throws(StorageError) {
    guard var reader = ItemReader(merge.table) else { return }
    var wanted = UnmatchedStories()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: feed.stored.isEmpty) }
    guard !wanted.isEmpty else { return }
    isClose = Array(repeating: false, count: merge.table.count)
    for position in isClose.indices {
      try reader.move(to: position)
      isClose[position] = try wanted.mayBeOne(reader)
    }
    add(merge.changed.keys)
  }

  func contains(_ position: Int) -> Bool {
    !isClose.isEmpty && isClose[position]
  }

  mutating func add(_ changed: some Sequence<Int>) {
    guard !isClose.isEmpty else { return }
    for position in changed { isClose[position] = true }
  }

  var positions: some Sequence<Int> {
    isClose.indices.lazy.filter { isClose[$0] }
  }
}
