import FeedModel

/// A story that the words of a command named.
struct NamedStory: Hashable, Sendable {
  /// The number it was named by; nil for an id.
  let number: Int?
  let story: StoredItem

  var id: String { story.id }

  /// How to speak of it: `story 3`, `story 0123456789abcdef`.
  var name: String {
    "story \(number.map(String.init) ?? story.id)"
  }
}
