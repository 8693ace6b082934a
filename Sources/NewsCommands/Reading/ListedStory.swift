import FeedModel

/// A story in a list: what the columns show of it.
struct ListedStory: Hashable, Sendable {
  /// The number to name it by.
  let number: Int
  let title: String
  let link: String
  /// As published.
  let pubDate: String
  /// The feed's name.
  let feed: String
  /// When it appeared, in seconds since 1970; nil when nothing is known.
  let instant: Int?
  let isRead: Bool
  let isStarred: Bool
}
