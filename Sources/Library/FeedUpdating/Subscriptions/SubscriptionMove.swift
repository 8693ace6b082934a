internal import CommandLine
import FeedLibrary
package import FeedModel
package import FeedStorage
package import System

package struct SubscriptionMove {
  package enum WhenKnown {
    case refuse
    case merge
  }

  package let from: Subscription
  package var to: String
  let whenKnown: WhenKnown
  let origin: ChangeOrigin

  package init(from: Subscription, to: String, whenKnown: WhenKnown, origin: ChangeOrigin) {
    self.from = from
    self.to = to
    self.whenKnown = whenKnown
    self.origin = origin
  }

  package struct Moved: Hashable, Sendable {
    package let subscription: Subscription
    /// True if the new URL was subscribed to before, and the two are one now.
    package let isMerged: Bool
    package var stories = 0
    /// True if both URLs have stories, and none in common.
    package var hasNothingInCommon = false
  }

  package func target(among subscriptions: [Subscription]) throws -> Int? {
    guard !from.isOfSavedPages else {
      throw Failure("\(from.printableName): pages that you have saved have no other place")
    }
    let others = subscriptions.filter { $0.url != from.url }
    guard let known = SubscriptionMerge(others).subscription(to: to) else { return nil }
    guard whenKnown == .merge else {
      throw Failure(
        "\(WebURL.printable(to)): already subscribed to as \(known.printableName)"
          + " (`--merge` makes one of the two)"
      )
    }
    return subscriptions.firstIndex { $0.url == known.url }
  }

  /// The change of the library, and its result; `feed` is the document at the new URL.
  package func change(
    _ library: Library,
    now: Date,
    _ feed: Feed?,
  ) throws -> (LibraryChange, Moved) {
    let (change, moved) = try Self.change(library, by: [(self, feed)], now: now)
    return (change, moved[0])
  }

  /// The change by several moves, with the documents at the new URLs; it is one step of `undo`.
  package static func change(
    _ library: Library,
    by moves: [(move: SubscriptionMove, feed: Feed?)],
    now: Date,
  ) throws -> (LibraryChange, [Moved]) {
    var (subscriptions, retryTimes) = (library.subscriptions, library.retryTimes)
    var moved = try moves.map { try $0.move.apply(to: &subscriptions, &retryTimes) }
    var change = LibraryChange(subscriptions: subscriptions)
    if retryTimes != library.retryTimes { change.feeds.retryTimes = retryTimes }
    let places = zip(moves, moved).map { (from: $0.move.from.url, to: $1.subscription.url) }
    let stories = try library.items.storyCounts(ofFeeds: places.map(\.from))
    for (index, place) in places.enumerated() {
      moved[index].stories = stories[place.from] ?? 0
      guard let feed = moves[index].feed, !feed.items.isEmpty, moved[index].stories > 0 else {
        continue
      }
      let known = try KnownStories(of: place.from, in: library.items)
      moved[index].hasNothingInCommon = !feed.items.contains(where: known.contains)
    }
    var merge = ItemMerge(library.items, now: now)
    try merge.move(places)
    change.stories = try merge.changes()
    change.feeds.moves = places
    change.origin = moves.first?.move.origin
    return (change, moved)
  }

  private func apply(
    to subscriptions: inout [Subscription],
    _ retryTimes: inout [String: RetryTime],
  ) throws -> Moved {
    guard let index = subscriptions.firstIndex(where: { $0.url == from.url }) else {
      throw Failure("\(WebURL.printable(from.url)): is not subscribed to any more")
    }
    let target = try target(among: subscriptions)
    let result: Moved
    if let target {
      subscriptions[target].take(from: subscriptions[index])
      result = Moved(subscription: subscriptions[target], isMerged: true)
      subscriptions.remove(at: index)
    } else {
      subscriptions[index].noteFormerURLs([from.url])
      subscriptions[index].move(to: to)
      subscriptions[index].state.forgetURL()
      result = Moved(subscription: subscriptions[index], isMerged: false)
    }
    // A server that asked for a wait while the feed was redirected to it still wants that wait.
    if let retryTime = retryTimes[from.url], retryTime.server == WebURL.origin(of: to) {
      retryTimes[from.url] = nil
      retryTimes[to] = retryTime
    }
    return result
  }
}

extension Subscription {
  fileprivate mutating func take(from other: Subscription) {
    title = title ?? other.title
    tags += other.tags.filter { !tags.contains($0) }
    join(other)
  }
}

extension ItemTable {
  fileprivate func storyCounts(ofFeeds feeds: [String]) throws -> [String: Int] {
    let feeds = Set(feeds)
    var counts: [String: Int] = [:]
    try forEachStory(at: 0..<count) { _, story in
      for feed in try story.strings(.feeds) where feeds.contains(feed) {
        counts[feed, default: 0] += 1
      }
    }
    return counts
  }
}

struct KnownStories {
  private(set) var count = 0
  private var guids: Set<String> = []
  private var links: Set<String> = []

  init(of feed: String, in items: ItemTable) throws {
    try items.forEachStory(at: 0..<items.count) { _, story in
      guard try story.strings(.feeds).contains(feed) else { return }
      count += 1
      if let guid = try story.string(.guid) { guids.insert(guid) }
      let link = try story.string(.link) ?? ""
      if !link.isEmpty { links.insert(WebURL.canonical(link)) }
    }
  }

  func contains(_ item: Item) -> Bool {
    if let guid = item.guid, guids.contains(guid) { return true }
    return !item.link.isEmpty && links.contains(WebURL.canonical(item.link))
  }
}
