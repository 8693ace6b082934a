package import FeedModel
internal import FeedStorage
import System

/// Puts subscriptions together, none twice however its URL is spelled.
package struct SubscriptionMerge {
  package private(set) var subscriptions: [Subscription]
  package private(set) var added: [Subscription] = []
  /// Those that were there before, and were to be added again; as they were, each once.
  package private(set) var known: [Subscription] = []
  package private(set) var hasChanged = false
  private var places: [String: Int] = [:]
  private var seen: Set<Int> = []
  private let countBefore: Int

  package init(_ subscriptions: [Subscription]) {
    self.subscriptions = subscriptions
    countBefore = subscriptions.count
    for (place, subscription) in subscriptions.enumerated() {
      places[Self.key(subscription.url)] = place
    }
  }

  /// Adds a subscription, or what is said anew of one that is there.
  ///
  /// A title that the reader says takes the place of another; one that a list has does not.
  package mutating func add(_ new: Subscription, replacingTitle replacesTitles: Bool = false) {
    guard let place = places[Self.key(new.url)] else {
      places[Self.key(new.url)] = subscriptions.count
      subscriptions.append(new)
      added.append(new)
      hasChanged = true
      return
    }
    if place < countBefore, seen.insert(place).inserted { known.append(subscriptions[place]) }
    for tag in new.tags where !subscriptions[place].tags.contains(tag) {
      subscriptions[place].tags.append(tag)
      hasChanged = true
    }
    if let command = new.passwordCommand, command != subscriptions[place].passwordCommand {
      subscriptions[place].passwordCommand = command
      hasChanged = true
    }
    // To be allowed in a private network is the reader's word; of the internet lists say it, too.
    if new.state.isOnInternet == false, subscriptions[place].state.isOnInternet != false {
      subscriptions[place].state.isOnInternet = false
      hasChanged = true
    }
    if let title = new.title, title != subscriptions[place].title,
      replacesTitles || subscriptions[place].title == nil
    {
      subscriptions[place].title = title
      hasChanged = true
    }
  }

  /// The URL with which lists call the subscription to `url`; nil when there is none.
  package func listedURL(of url: String) -> String? {
    places[Self.key(url)].map { subscriptions[$0].listedURL ?? subscriptions[$0].url }
  }

  /// The subscription to `url`, however that is spelled.
  package func subscription(to url: String) -> Subscription? {
    places[Self.key(url)].map { subscriptions[$0] }
  }

  /// Two users of a server are two feeds; a user with a password and without is one.
  private static func key(_ url: String) -> String {
    guard WebURL.isWeb(url) else { return url }
    let user = WebURL.user(of: url).map { " " + $0 } ?? ""
    return WebURL.canonical(url) + user
  }
}
