import FeedModel
import FeedStorage

/// What feeds are to remember of stories that are cleared, or to forget of those that are back.
///
/// A clearing leaves no more in a feed than it may (`ClearedHashes.most`), the newest stories first.
struct NotedHashes {
  /// The feeds that it matters to; nil for all.
  private let feeds: Set<String>?
  private var hashes: [String: [UInt64]] = [:]

  init(feeds: Set<String>? = nil) {
    self.feeds = feeds
  }

  func hashes(of feed: String) -> [UInt64] {
    hashes[feed] ?? []
  }

  /// Takes note of the story that a scanner is at.
  mutating func note(
    _ scanner: borrowing ItemScanner,
    feeds: [String],
  ) throws(StorageError) {
    let open = feeds.filter {
      self.feeds?.contains($0) != false && hashes[$0, default: []].count < ClearedHashes.most
    }
    guard !open.isEmpty else { return }
    let new = try ClearedHashes.hashes(scanner)
    for feed in open { hashes[feed, default: []] += new }
  }
}
