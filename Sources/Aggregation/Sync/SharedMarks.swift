package import FeedModel
package import FeedStorage
import System

/// The marks of the stored stories, and what each story is known by on other machines.
///
/// That is a hash of each of its feeds and of the key that it has now, and its id: two machines give
/// a story one id where the same feed brought it to both first, under the same key.
package struct SharedMarks {
  /// Whether each story is read, and starred.
  private(set) var marks: [(isRead: Bool, isStarred: Bool)] = []
  private var ids: [UInt64?] = []
  private var keys: [UInt64] = []
  /// Where the keys of each story end.
  private var ends: [Int] = []
  /// Keys of several stories, which tell of none but that whose id they are.
  private var shared: Set<UInt64> = []
  private let urls: SharedURLs

  package init(_ items: ItemTable, _ subscriptions: [Subscription]) throws(StorageError) {
    urls = SharedURLs(subscriptions)
    guard var reader = ItemReader(items) else { return }
    marks.reserveCapacity(items.count)
    keys.reserveCapacity(items.count)
    ends.reserveCapacity(items.count)
    var others: Set<UInt64> = []
    for place in 0..<items.count {
      try reader.move(to: place)
      marks.append((try reader.isRead(), try reader.isStarred()))
      let key = ItemID.key(of: try reader.identity())
      let (id, all) = Self.keys(key, try reader.idNumber(), try reader.feedURLs(), urls)
      for key in all where key != id && !others.insert(key).inserted { shared.insert(key) }
      ids.append(id)
      keys += all
      ends.append(keys.count)
    }
    shared.formUnion(others.intersection(ids.lazy.compactMap(\.self)))
  }

  /// What one story is known by, whatever the others are.
  static func keys(of story: StoredItem, _ subscriptions: [Subscription]) -> [UInt64] {
    let urls = SharedURLs(subscriptions.filter { story.feeds.contains($0.url) })
    let id = ItemID.number(of: story.id.utf8)
    return keys(ItemID.key(of: story.item), id, story.feeds, urls).all
  }

  private static func keys(
    _ key: ItemKey,
    _ ownID: UInt64?,
    _ feeds: [String],
    _ urls: SharedURLs,
  ) -> (id: UInt64?, all: [UInt64]) {
    var all: [UInt64] = []
    var id = ownID
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

  package var count: Int { marks.count }

  /// What the story at a place is known by.
  package func keys(of place: Int) -> [UInt64] {
    let range = (place == 0 ? 0 : ends[place - 1])..<ends[place]
    return keys[range].filter { $0 == ids[place] || !shared.contains($0) }
  }

  /// Whether others may know the id of the story at a place: not that of a feed with a password.
  package func hasID(at place: Int) -> Bool { ids[place] != nil }

  /// All that stories are known by.
  package var known: Set<UInt64> { Set(keys) }
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
