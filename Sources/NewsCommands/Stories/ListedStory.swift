import FeedModel

/// A story in a list: what the columns show of it.
struct ListedStory: Hashable, Sendable {
  /// nil for one that was never numbered, and has gone.
  let number: Int?
  var title: String
  let link: String
  let pubDate: String
  let feed: String
  /// When it appeared, in seconds since 1970; nil when nothing is known.
  let instant: Int?
  let isRead: Bool
  let isStarred: Bool
  let hasNote: Bool
  /// Those that may be opened, where they are to be shown.
  var enclosures: [Enclosure] = []

  var numberText: String { number.map(String.init) ?? "" }
}
