import FeedModel
import FeedStorage
import System

/// The marks of the stored stories, and what each story is known by on other machines.
///
/// That is a hash of each of its feeds and of the key that it has now, and its id: two machines give
/// a story one id where the same feed brought it to both first, under the same key.
struct SharedMarks {
  /// Whether each story is read, and starred.
  private(set) var marks: [(isRead: Bool, isStarred: Bool)] = []
  private var ids: [UInt64?] = []
  private var keys: [UInt64] = []
  /// Where the keys of each story end.
  private var ends: [Int] = []
  /// Keys of several stories, which tell of none but that whose id they are.
  private var shared: Set<UInt64> = []
  private let urls: SharedURLs

  init(_ items: ItemTable, _ subscriptions: [Subscription]) throws(StorageError) {
    urls = SharedURLs(subscriptions)
    guard var reader = ItemReader(items) else { return }
    marks.reserveCapacity(items.count)
    keys.reserveCapacity(items.count)
    ends.reserveCapacity(items.count)
    var others: Set<UInt64> = []
    for place in 0..<items.count {
      try reader.move(to: place)
      marks.append((try reader.isRead(), try reader.isStarred()))
      let (id, all) = try keys(of: &reader)
      for key in all where key != id && !others.insert(key).inserted { shared.insert(key) }
      ids.append(id)
      keys += all
      ends.append(keys.count)
    }
    shared.formUnion(others.intersection(ids.lazy.compactMap(\.self)))
  }

  private func keys(
    of story: inout ItemReader
  ) throws(StorageError) -> (id: UInt64?, all: [UInt64]) {
    let key = ItemID.key(of: try story.identity())
    let feeds = try story.feedURLs()
    var all: [UInt64] = []
    var id = try story.idNumber()
    for feed in feeds {
      // A hash of what has a password in it could be tried for that.
      if urls.hasAccount(feed) { id = nil }
      for url in urls.all(of: feed) {
        let hash = ItemID.number(feed: url, key: key)
        if !all.contains(hash) { all.append(hash) }
      }
    }
    if let id, !all.contains(id) { all.append(id) }
    return (id, all)
  }

  var count: Int { marks.count }

  /// What the story at a place is known by.
  func keys(of place: Int) -> [UInt64] {
    let range = (place == 0 ? 0 : ends[place - 1])..<ends[place]
    return keys[range].filter { $0 == ids[place] || !shared.contains($0) }
  }

  /// All that stories are known by.
  var known: Set<UInt64> { Set(keys) }
}

/// The URLs that feeds have and had, as other machines may see them.
private struct SharedURLs {
  private var former: [String: [String]] = [:]
  private var accounts: Set<String> = []

  init(_ subscriptions: [Subscription]) {
    for feed in subscriptions {
      let others = feed.state.formerURLs + [feed.listedURL].compactMap(\.self)
      former[feed.url] = others.map(WebURL.withoutAccount)
      if others.contains(where: Self.hasAccount) { accounts.insert(feed.url) }
    }
  }

  func hasAccount(_ feed: String) -> Bool { accounts.contains(feed) || Self.hasAccount(feed) }

  func all(of feed: String) -> [String] {
    [WebURL.withoutAccount(feed)] + (former[feed] ?? [])
  }

  private static func hasAccount(_ url: String) -> Bool { WebURL.withoutAccount(url) != url }
}
