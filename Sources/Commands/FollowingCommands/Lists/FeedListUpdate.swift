import FeedLibrary
import FeedModel
import FeedStorage
import FeedSync
import FeedUpdating

/// The feeds that come and go with the present document of a list.
///
/// What the user followed before stays his, and what he has ended does not come back.
struct FeedListUpdate {
  private(set) var list: FeedList
  private(set) var gone: [Subscription] = []
  /// Feeds that another list has, too, and that go on with it.
  private var heirs: [String: FeedList] = [:]
  private var merge: SubscriptionMerge
  private let brought: Int
  private let library: Library

  private static let mostAdded = 20

  init(_ list: FeedList, to document: ImportedList, in library: Library) {
    (self.list, self.library) = (list, library)
    merge = SubscriptionMerge(library.subscriptions)
    let own = library.subscriptions.filter { $0.list == list.url }
    brought = own.count
    let known = Set(list.feeds)
    for var feed in document.subscriptions
    where !known.contains(feed.url) && merge.subscription(to: feed.url) == nil {
      (feed.tags, feed.list) = (list.source.tags, list.url)
      merge.add(feed)
    }
    self.list.feeds = document.subscriptions.map(\.url)
    let away = known.subtracting(self.list.feeds)
    for feed in own where away.contains(feed.nameInList) {
      let others = library.feeds.lists.filter { $0.url != list.url }
      if let heir = others.first(where: { $0.feeds.contains(feed.nameInList) }) {
        heirs[feed.url] = heir
      } else {
        gone.append(feed)
      }
    }
  }

  var added: [Subscription] { merge.added }

  /// True of so many that a list that was emptied, or taken over, may be the reason.
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

  private func passedOn(_ feed: Subscription) -> Subscription {
    guard let heir = heirs[feed.url] else { return feed }
    var feed = feed
    feed.list = heir.url
    feed.tags = feed.tags.filter { $0 != list.tag && $0 != heir.tag } + [heir.tag]
    return feed
  }
}

extension Subscription {
  /// The URL by which lists call it.
  fileprivate var nameInList: String { listedURL ?? url }
}
