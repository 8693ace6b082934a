package import FeedModel

/// New stories that are made when their turn to be written has come, by number.
///
/// For as many as should not be in memory at once.
package struct StorySource: Sendable {
  private let maker: Maker

  private enum Maker {
    case whole(@Sendable (Int) throws(StorageError) -> StoredItem)
    case spooled(@Sendable (Int) -> SpooledStory)
  }

  /// - Parameter spooled: makes a story without its item; called once for each, in the order of the
  ///   edits.
  package init(spooled: @escaping @Sendable (Int) -> SpooledStory) {
    maker = .spooled(spooled)
  }

  /// - Parameter whole: makes a story.
  package init(whole: @escaping @Sendable (Int) throws(StorageError) -> StoredItem) {
    maker = .whole(whole)
  }

  func story(_ number: Int) throws(StorageError) -> StoredItem {
    switch maker {
    case .whole(let make): try make(number)
    case .spooled(let make): try make(number).whole()
    }
  }

  /// The story without its item, where that waits in the spool; nil for others.
  func spooled(_ number: Int) -> SpooledStory? {
    if case .spooled(let make) = maker { make(number) } else { nil }
  }
}

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
