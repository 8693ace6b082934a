package import FeedModel
internal import PropertyLists
package import System

/// The stored stories and feeds, as they were at one moment.
package struct Library: Sendable {
  package var items: ItemTable
  package var feeds: FollowedFeeds

  package var subscriptions: [Subscription] {
    get { feeds.subscriptions }
    set { feeds.subscriptions = newValue }
  }

  package var retryTimes: [String: RetryTime] { feeds.retryTimes }

  /// Says that another has just the stories and subscriptions that this one has.
  package func isUnchanged(in other: Library) -> Bool {
    items.isUnchanged(in: other.items) && subscriptions == other.subscriptions
  }
}

/// The contents of `feeds.plist`.
package struct FollowedFeeds: Hashable, Sendable {
  package var subscriptions: [Subscription] = []
  /// By whom they are for: a server's (`https://example.com:8443`) all of its feeds; that of a server
  /// to which a redirect led, under the feed's URL, that feed alone.
  package var retryTimes: [String: RetryTime] = [:]
  /// The number of stories that this program saved last; nobody else may have made them fewer.
  package var savedStories = 0
  /// The date from which fewer stories are kept than earlier versions kept; nil where the reader has
  /// not been told of that yet.
  package var fewerKeptSince: Date? = .init(timeIntervalSinceReferenceDate: 0)
  /// The titles of feeds that are followed no more, by URL, where starred stories of them stay.
  package var formerNames: [String: String] = [:]
  /// Feeds that others have ended, as this machine alone knew them, the last ones last.
  package var formerFeeds: [Subscription] = []

  package static let mostFormerFeeds = 100
}

/// The time until which a server asked to wait (`Retry-After`).
package struct RetryTime: Hashable, Sendable {
  /// Who asked for it: scheme, host and port.
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
  /// Of two of one server the later counts.
  package mutating func extend(by others: [String: RetryTime]) {
    merge(others) { $0.until > $1.until ? $0 : $1 }
  }
}

package enum SubscriptionDetail: Hashable, Sendable {
  case whole
  /// URLs, titles, tags and settings alone, to name feeds with; not to be saved.
  case names
}
