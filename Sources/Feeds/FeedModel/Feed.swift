package import System

package struct Feed: Hashable, Sendable {
  package var format: FeedFormat
  package var title: String?
  package var link: String?
  package var description: String?
  package var language: String?
  /// The date of publication, or of the last change where the document has no other.
  package var date: Date?
  package var hints = UpdateHints()
  /// The new URL that the feed gives for itself (`itunes:new-feed-url`), absolute as `link` is.
  package var newLocation: String?
  /// The URL of the feed's own picture: its `image` or `icon`.
  package var icon: String?
  /// The URL of the page with older stories: the archive before this one, or the next page (RFC
  /// 5005; JSON Feed's `next_url`).
  package var olderPage: String?
  package var items: [Item] = []
  /// The stories where nobody asked for more than their lines.
  package var lines = StoryLines()
  /// The whole text of each item, in their order; nil where the summary is all of it.
  ///
  /// Empty where nobody asked for texts.
  package var texts: [StoryText?] = []
  /// False where the root element was not closed; only its end proves that no item is missing.
  package var isComplete = true
  /// Oddities and repairs, each a short sentence without a full stop.
  package var notes: [String] = []

  package init(format: FeedFormat) {
    self.format = format
  }
}

package struct UpdateHints: Hashable, Sendable {
  /// Minutes between two visits (RSS 2.0 `ttl`).
  package var timeToLive: Int?
  /// Hours of the day in UTC, 0 to 23, at which not to come (RSS 2.0 `skipHours`).
  package var skipHours: Set<Int> = []
  /// Days of the week in UTC, 0 (Sunday) to 6, on which not to come (RSS 2.0 `skipDays`).
  package var skipDays: Set<Int> = []
  /// The time in which the feed is updated `updateFrequency` times, at least once, from
  /// `updateBase` on.
  ///
  /// `sy:updatePeriod`, hourly to yearly.
  package var updatePeriod: Duration?
  package var updateFrequency: Int?
  package var updateBase: Date?

  package init() {}
}

/// The formats of feeds, named as `news parse --json` prints them.
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
