package import FeedModel

/// New stories that are made when their turn to be written has come, by number.
///
/// For as many as should not be in memory at once.
package struct StorySource: Sendable {
  /// No more objects of the data file than this make them all up, keys aside.
  let maximumObjects: Int
  private let maker: Maker

  private enum Maker {
    case whole(@Sendable (Int) throws(StorageError) -> StoredItem)
    case spooled(@Sendable (Int) -> SpooledStory)
  }

  /// - Parameters:
  ///   - stories: what the stories are made from.
  ///   - feeds: how many feeds they have, all together.
  ///   - count: how many there are.
  ///   - origins: how many origins they have.
  ///   - matches: how many matches they have, all together.
  ///   - story: makes one without its item; called once for each, in the order of the edits.
  package init(
    _ stories: [SpooledStories],
    feeds: Int,
    count: Int,
    origins: Int = 0,
    matches: Int = 0,
    story: @escaping @Sendable (Int) -> SpooledStory,
  ) {
    // An id, two dates and flags, and the list of feeds.
    let provenance = StoredItem.originCount * origins + StoredItem.matchCount * matches
    maximumObjects = stories.reduce(feeds + 5 * count + provenance) { $0 + $1.maximumObjects }
    maker = .spooled(story)
  }

  /// - Parameters:
  ///   - maximumObjects: no more objects of the data file than this make them all up, keys aside.
  ///   - story: makes one.
  package init(
    maximumObjects: Int,
    story: @escaping @Sendable (Int) throws(StorageError) -> StoredItem,
  ) {
    self.maximumObjects = maximumObjects
    maker = .whole(story)
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
