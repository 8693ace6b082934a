import FeedModel

package struct ListedStory: Hashable, Sendable {
  /// The number; nil for a story that was never numbered, and has gone.
  let number: Int?
  let id: StoryID
  package var title: String
  let link: String
  /// The date as published; empty where a list of another form of dates has read the story.
  let pubDate: String
  let feed: String
  /// The time of its appearance, in seconds since 1970; nil if unknown.
  let instant: Int?
  package var isRead: Bool
  package var isStarred: Bool
  package var hasNote: Bool
  /// Enclosures that may be opened, if the list shows them.
  var enclosures: [Enclosure] = []
  /// The other stories of its row.
  var similar: [ListedStory] = []

  var numberText: String { number.map(String.init) ?? "" }
}
