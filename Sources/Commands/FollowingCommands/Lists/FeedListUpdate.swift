import FeedLibrary
import FeedModel
import FeedStorage
import FeedSync
import FeedUpdating

/// The feeds that come and go with the present document of a list.
///
/// Feeds that the user followed before stay the user's, and ended ones do not come back.
struct FeedListUpdate {
  private(set) var list: FeedList
  private(set) var gone: [Subscription] = []
  /// Feeds that another list has, too, and that go on with it.
  private var heirs: [String: FeedList] = [:]
  private var merge: SubscriptionMerge
  private let brought: Int
  private let library: Library

  private static let mostAdded = 20

  /// The feeds of a list that ends go on with other lists that have them, but for `ended` ones.
  init(
    _ list: FeedList,
    to document: ImportedList,
    in library: Library,
    besides ended: [FeedList] = [],
  ) {
    (self.list, self.library) = (list, library)
    merge = SubscriptionMerge(library.subscriptions)
    let own = library.subscriptions.filter { $0.list == list.name }
    brought = own.count
    let key = SubscriptionMerge.key
    let known = Set(list.feeds.map(key))
    let new = Set(document.subscriptions.map { key($0.url) })
    for var feed in document.subscriptions
    where !known.contains(key(feed.url)) && merge.subscription(to: feed.url) == nil {
      (feed.tags, feed.list) = (list.source.tags, list.name)
      merge.add(feed)
    }
    self.list.feeds = document.subscriptions.map(\.url)
    let others = library.feeds.lists.filter { $0.name != list.name && !ended.contains($0) }
      .map { (list: $0, keys: Set($0.feeds.map(key))) }
    for feed in own {
      let names = Set(feed.namesInLists.map(key))
      guard !known.isDisjoint(with: names), new.isDisjoint(with: names) else { continue }
      if let heir = others.first(where: { !names.isDisjoint(with: $0.keys) }) {
        heirs[feed.url] = heir.list
      } else {
        gone.append(feed)
      }
    }
  }

  var added: [Subscription] { merge.added }

  /// True if so many feeds come or go that the list may have been emptied or taken over.
  var isTooMany: Bool {
    added.count > Self.mostAdded || SyncBounds.isTooMany(lostFeeds: gone.count, of: brought)
  }

  func change(_ origin: ChangeOrigin) throws -> LibraryChange {
    var change = LibraryChange()
    if !gone.isEmpty { change = try library.unsubscribing(from: gone, origin).change }
    let urls = Set(gone.map(\.url))
    let feeds = merge.subscriptions.filter { !urls.contains($0.url) }.map(passedOn)
    if feeds != library.subscriptions { change.feeds.subscriptions = feeds }
    change.origin = origin
    return change
  }

  /// Returns a feed that goes on with another list as one of that list.
  func passedOn(_ feed: Subscription) -> Subscription {
    guard let heir = heirs[feed.url] else { return feed }
    var feed = feed
    feed.list = heir.name
    feed.tags = feed.tags.filter { $0 != list.tag && $0 != heir.tag } + [heir.tag]
    return feed
  }
}

extension Subscription {
  /// The URLs by which lists may call it.
  fileprivate var namesInLists: [String] {
    [url, listedURL].compactMap(\.self) + state.formerURLs
  }
}
