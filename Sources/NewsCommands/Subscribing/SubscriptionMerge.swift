import FeedModel

/// Puts subscriptions together, none twice however its URL is spelled.
struct SubscriptionMerge {
  private(set) var subscriptions: [Subscription]
  private(set) var added: [Subscription] = []
  /// Those that were there before, and were to be added again.
  private(set) var known: [Subscription] = []
  private(set) var hasChanged = false
  private var places: [String: Int] = [:]

  init(_ subscriptions: [Subscription]) {
    self.subscriptions = subscriptions
    for (place, subscription) in subscriptions.enumerated() {
      places[Self.key(subscription.url)] = place
    }
  }

  /// Adds a subscription, or the tags of one that is there.
  mutating func add(_ new: Subscription) {
    guard let place = places[Self.key(new.url)] else {
      places[Self.key(new.url)] = subscriptions.count
      subscriptions.append(new)
      added.append(new)
      hasChanged = true
      return
    }
    known.append(subscriptions[place])
    for tag in new.tags where !subscriptions[place].tags.contains(tag) {
      subscriptions[place].tags.append(tag)
      hasChanged = true
    }
    if subscriptions[place].title == nil, let title = new.title {
      subscriptions[place].title = title
      hasChanged = true
    }
  }

  private static func key(_ url: String) -> String {
    SubscriptionURL.isWeb(url) ? WebURL.canonical(url) : url
  }
}
