package import FeedModel

/// A new story of which the item waits in the spool.
package struct SpooledStory: Sendable {
  /// The story with no item, or none that counts.
  package let frame: StoredItem
  let stories: SpooledStories
  let index: Int

  /// - Parameters:
  ///   - frame: what the store adds to the item.
  ///   - stories: where that is.
  ///   - index: which of them.
  package init(_ frame: StoredItem, itemOf stories: SpooledStories, at index: Int) {
    self.frame = frame
    self.stories = stories
    self.index = index
  }

  /// The story with its item.
  ///
  /// - Throws: when what was fetched cannot be read back.
  package func whole() throws(StorageError) -> StoredItem {
    var story = frame
    story.item = try stories.item(at: index)
    return story
  }
}
