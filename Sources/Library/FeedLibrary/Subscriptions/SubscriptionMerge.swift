package import FeedModel
import System

package struct SubscriptionMerge {
  package private(set) var subscriptions: [Subscription]
  package private(set) var added: [Subscription] = []
  /// Former subscriptions that were added again, as they were, each once.
  package private(set) var known: [Subscription] = []
  package private(set) var hasChanged = false
  private var indices: [String: Int] = [:]
  /// Subscriptions with a password in the URL, by the URL that `news export` has of them.
  private var exported = UniqueIndex<String>([])
  private var seen: Set<Int> = []
  private let countBefore: Int

  package init(_ subscriptions: [Subscription]) {
    self.subscriptions = subscriptions
    countBefore = subscriptions.count
    for (index, subscription) in subscriptions.enumerated() {
      indices[Self.key(subscription.url)] = index
    }
  }

  /// Prepares for a list that may come from `news export`, which leaves users with passwords out of
  /// URLs.
  package init(forList subscriptions: [Subscription]) {
    self.init(subscriptions)
    exported = UniqueIndex(
      subscriptions.map { subscription in
        let url = WebURL.withoutPassword(subscription.url)
        return url == subscription.url ? nil : Self.key(url)
      }
    )
  }

  /// Adds a subscription, or new facts of a known one.
  ///
  /// Its title replaces a known one only with `replacingTitle`: the user's does, a list's does not.
  package mutating func add(_ new: Subscription, replacingTitle replacesTitles: Bool = false) {
    guard let index = index(of: new.url) else {
      indices[Self.key(new.url)] = subscriptions.count
      subscriptions.append(new)
      added.append(new)
      hasChanged = true
      return
    }
    if index < countBefore, seen.insert(index).inserted { known.append(subscriptions[index]) }
    var feed = subscriptions[index]
    // Another program may know the title of a feed that has not been asked here yet.
    feed.state.title = feed.state.title ?? new.state.title
    feed.state.site = new.state.site ?? feed.state.site
    // Whoever subscribes to a feed himself keeps it, whatever a list says.
    if replacesTitles { feed.list = nil }
    let cleared = Set(feed.state.cleared)
    let more = new.state.cleared.filter { !cleared.contains($0) }
    if !more.isEmpty { feed.state.remember(cleared: more.reversed()) }
    let tags = new.tags.filter { !feed.tags.contains($0) }
    if !tags.isEmpty { feed.tags += tags }
    feed.passwordCommand = new.passwordCommand ?? feed.passwordCommand
    if !new.headers.isEmpty { feed.headers = new.headers }
    feed.settings.maximumBytes = new.settings.maximumBytes ?? feed.settings.maximumBytes
    if !new.route.isEmpty { feed.route = new.route }
    if let filter = new.filter, filter != feed.filter { feed.filter(through: filter) }
    // Only the user lets a feed be in a private network; a list may say that it is on the internet.
    if new.state.isOnInternet == false { feed.state.isOnInternet = false }
    if let title = new.title, replacesTitles || feed.title == nil { feed.title = title }
    guard feed != subscriptions[index] else { return }
    subscriptions[index] = feed
    hasChanged = true
  }

  /// The URL with which lists call the subscription to `url`; nil without one.
  package func listedURL(of url: String) -> String? {
    index(of: url).map { subscriptions[$0].listedURL ?? subscriptions[$0].url }
  }

  package func subscription(to url: String) -> Subscription? {
    index(of: url).map { subscriptions[$0] }
  }

  private func index(of url: String) -> Int? {
    let key = Self.key(url)
    return indices[key] ?? exported[key]
  }

  /// Two users of a server are two feeds; a user with a password and without is one.
  package static func key(_ url: String) -> String {
    guard WebURL.isWeb(url) else { return url }
    let user = WebURL.user(of: url).map { " " + $0 } ?? ""
    return WebURL.canonical(url) + user
  }
}
