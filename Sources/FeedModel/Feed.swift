package import System

/// A parsed feed document.
package struct Feed: Hashable, Sendable {
  package var format: FeedFormat
  package var title: String?
  /// The feed's web page: an absolute http or https URL.
  package var link: String?
  package var description: String?
  package var language: String?
  /// Of publication, or of the last change where that is all there is.
  package var date: Date?
  package var hints = UpdateHints()
  /// Where the feed says that it lives now (`itunes:new-feed-url`), an absolute URL.
  package var newLocation: String?
  /// The stories in document order.
  package var items: [Item] = []
  /// Of each story the whole text, where its summary is not all of it; empty where nobody asked for them.
  package var texts: [StoryText?] = []
  /// Whether the root element was closed: the only proof that nothing is missing at the end.
  package var isComplete = true
  /// What was odd or had to be recovered, each a short sentence without a full stop.
  package var notes: [String] = []

  package init(format: FeedFormat) {
    self.format = format
  }
}

/// What a feed asks of those who come back for it.
package struct UpdateHints: Hashable, Sendable {
  /// Minutes between two visits (RSS 2.0 `ttl`).
  package var timeToLive: Int?
  /// Hours of the day in UTC, 0 to 23, at which not to come (RSS 2.0 `skipHours`).
  package var skipHours: Set<Int> = []
  /// Days of the week in UTC, 0 (Sunday) to 6, on which not to come (RSS 2.0 `skipDays`).
  package var skipDays: Set<Int> = []
  /// The length of one `sy:updatePeriod` (hourly … yearly).
  package var updatePeriod: Duration?
  /// How often the feed is updated within a period (`sy:updateFrequency`), at least 1.
  package var updateFrequency: Int?
  /// The instant from which periods are counted (`sy:updateBase`).
  package var updateBase: Date?

  package init() {}
}

/// The formats of feeds that `news` reads, named as `news parse --json` prints them.
package enum FeedFormat: String, Hashable, Sendable, CaseIterable {
  case rss090 = "rss0.90"
  case rss091 = "rss0.91"
  case rss092 = "rss0.92"
  case rss093 = "rss0.93"
  case rss094 = "rss0.94"
  case rss10 = "rss1.0"
  case rss20 = "rss2.0"
  case atom03 = "atom0.3"
  case atom10 = "atom1.0"
  case jsonFeed10 = "jsonfeed1.0"
  case jsonFeed11 = "jsonfeed1.1"
  case cdf
}
