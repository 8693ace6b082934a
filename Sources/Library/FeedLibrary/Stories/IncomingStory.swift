package import FeedModel

/// A story that a feed brings, before it is stored.
package struct IncomingStory {
  package let feed: String
  package let item: Item
  /// Returns the whole text, or nil if the summary is all of it.
  package let text: () throws -> StoryText?

  package init(feed: String, item: Item, text: @escaping () throws -> StoryText?) {
    (self.feed, self.item, self.text) = (feed, item, text)
  }
}
