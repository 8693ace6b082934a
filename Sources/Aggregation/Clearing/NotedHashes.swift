import FeedModel
import FeedStorage

/// What feeds are to forget of stories that are here again.
///
/// A clearing leaves no more in a feed than it may (`ClearedHashes.most`), the newest stories first.
struct NotedHashes {
  /// The feeds that remember any.
  private let feeds: Set<String>
  private var hashes: [String: [UInt64]] = [:]

  init(feeds: Set<String>) {
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
    guard !self.feeds.isEmpty else { return }
    let open = feeds.filter {
      self.feeds.contains($0) && hashes[$0, default: []].count < ClearedHashes.most
    }
    guard !open.isEmpty else { return }
    let new = try ClearedHashes.hashes(scanner)
    for feed in open { hashes[feed, default: []] += new }
  }
}
