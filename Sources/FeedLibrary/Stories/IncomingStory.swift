package import FeedModel
internal import FeedStorage

/// A story that a feed brings, before it is stored.
package struct IncomingStory {
  package let feed: String
  package let item: Item
  /// True if it comes with marks of its own: from a file, a server or another machine.
  package let isImported: Bool
  private let wholeText: () throws -> StoryText?

  package init(
    feed: String,
    item: Item,
    isImported: Bool,
    text: @escaping () throws -> StoryText?,
  ) {
    (self.feed, self.item, self.isImported, wholeText) = (feed, item, isImported, text)
  }

  /// Returns the whole text, or nil if the summary is all of it.
  package func text() throws -> StoryText? { try wholeText() }
}
