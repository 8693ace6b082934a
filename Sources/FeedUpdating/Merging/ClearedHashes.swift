package import FeedModel
import FeedStorage

/// How a feed remembers the stories that the reader cleared while it still carried them.
///
/// A hash does not contain the feed's URL, so that it holds after the feed has moved. A link counts
/// only with the title: one that all stories of a feed have in turn must hide none of them.
enum ClearedHashes {
  /// The most hashes that a clearing leaves in a feed; the newest stories'.
  static let most = 30_000
  /// The most that are kept of stories that the feed no longer carries; the last ones.
  static let mostUncarried = 3000

  /// All that a cleared story may be met again by.
  static func hashes(of item: Item) -> [UInt64] {
    let guid = ItemID.guidKey(item.guid)
    var keys = [guid, ItemID.linkKey(item.link)].compactMap { $0 }
    if guid == nil {
      let titles = IdentityKeys(of: item)
      keys += [titles.title, titles.titleAlone]
    }
    return Set(keys.map { hash(of: item, key: $0) }).sorted()
  }

  static func hash(of item: Item, key: ItemKey) -> UInt64 {
    switch key {
    case .link(let link):
      ItemID.number(feed: link, key: .titleAndDate(title: item.title, pubDate: ""))
    case .guid, .titleAndDate: ItemID.number(feed: "", key: key)
    }
  }
}

extension FeedState {
  package mutating func remember(cleared hashes: [UInt64]) {
    cleared = Array((cleared + hashes.reversed()).suffix(ClearedHashes.most))
  }

  mutating func forget(cleared hashes: Set<UInt64>) {
    if !cleared.isEmpty { cleared.removeAll(where: hashes.contains) }
  }
}

/// What feeds are to remember of stories that are cleared, or to forget of those that are back: of
/// each feed no more than `ClearedHashes.most`, the newest stories first.
struct ClearedHashUpdates {
  /// The feeds that it matters to; nil for all.
  private let feeds: Set<String>?
  private var hashes: [String: [UInt64]] = [:]

  init(feeds: Set<String>? = nil) {
    self.feeds = feeds
  }

  func hashes(of feed: String) -> [UInt64] {
    hashes[feed] ?? []
  }

  mutating func note(_ reader: borrowing ItemReader, feeds: [String]) throws(StorageError) {
    let open = feeds.filter {
      self.feeds?.contains($0) != false && hashes[$0, default: []].count < ClearedHashes.most
    }
    guard !open.isEmpty else { return }
    // PERF: a million stories may be cleared at once; to read only what counts is a third of the work.
    let new = ClearedHashes.hashes(of: try reader.identity())
    for feed in open { hashes[feed, default: []] += new }
  }
}
