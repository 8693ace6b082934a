package import FeedModel

/// New stories that are made when their turn to be written has come, by number.
///
/// For as many as should not be in memory at once.
package struct StorySource: Sendable {
  /// No more objects of the data file than this make them all up, keys aside.
  let maximumObjects: Int
  let story: @Sendable (Int) throws(StorageError) -> StoredItem

  /// - Parameters:
  ///   - stories: what the stories are made from.
  ///   - feeds: how many feeds they have, all together.
  ///   - count: how many there are.
  ///   - story: makes one; called once for each, in the order of the edits.
  package init(
    _ stories: [SpooledStories],
    feeds: Int,
    count: Int,
    story: @escaping @Sendable (Int) throws(StorageError) -> StoredItem,
  ) {
    // An id, two dates and flags, and the list of feeds.
    maximumObjects = stories.reduce(feeds + 5 * count) { $0 + $1.maximumObjects }
    self.story = story
  }
}
