package import FeedModel
package import System

package struct Library: Sendable {
  package var items: ItemTable
  package var feeds: FollowedFeeds

  package var subscriptions: [Subscription] {
    get { feeds.subscriptions }
    set { feeds.subscriptions = newValue }
  }

  package var retryTimes: [String: RetryTime] { feeds.retryTimes }

  package func isUnchanged(in other: Library) -> Bool {
    items.isUnchanged(in: other.items) && subscriptions == other.subscriptions
  }
}

package struct FollowedFeeds: Hashable, Sendable {
  package var subscriptions: [Subscription] = []
  /// Times by the origin of a server (`https://example.com:8443`), for all of its feeds; or by a
  /// feed's URL, for that feed alone, if a redirect led it to the server.
  package var retryTimes: [String: RetryTime] = [:]
  /// The number of stories that this program saved last; nobody else may have made them fewer.
  package var savedStories = 0
  /// The titles of former feeds whose starred stories stay, by URL.
  package var formerNames: [String: String] = [:]
  /// The local facts of feeds that others have ended, the last ones last.
  package var formerFeeds: [Subscription] = []
  package var lists: [FeedList] = []

  package static let mostFormerFeeds = 100
}

/// The time until which a server asked to wait (`Retry-After`).
package struct RetryTime: Hashable, Sendable {
  package internal(set) var server: String
  package internal(set) var status: Int
  package internal(set) var since: Date
  package internal(set) var until: Date

  package init(server: String, status: Int, since: Date, until: Date) {
    self.server = server
    self.status = status
    self.since = since
    self.until = until
  }
}

extension [String: RetryTime] {
  /// Adds times; of two with one key the later counts.
  package mutating func extend(by others: [String: RetryTime]) {
    merge(others) { $0.until > $1.until ? $0 : $1 }
  }
}

package enum SubscriptionDetail: Hashable, Sendable {
  case whole
  /// URLs, titles, tags and settings alone, to name feeds with; not to be saved.
  case names
}
