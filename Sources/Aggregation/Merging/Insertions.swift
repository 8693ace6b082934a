package import FeedModel
package import FeedStorage
import System

/// The stories that a merge adds, made one at a time.
package struct Insertions: Sendable {
  /// Where the stories are.
  var deliveries: [FeedDelivery] = []
  /// Their order in the data file follows from their placements.
  var all: [Insertion] = []
  let now: Date

  package var count: Int { all.count }

  /// The feeds that carry a story, the first one first.
  package func feeds(of number: Int) -> [String] {
    all[number].feeds
  }

  /// A story as it is to be stored.
  ///
  /// - Throws: when what was fetched cannot be read back.
  package func story(_ number: Int) throws(StorageError) -> StoredItem {
    try spooled(number).whole()
  }

  private func spooled(_ number: Int) -> SpooledStory {
    let insertion = all[number]
    let id = ItemID.text(insertion.id)
    var story = StoredItem(id: id, item: Self.none, feeds: insertion.feeds, stored: now)
    story.isRead = insertion.isRead
    story.origin = deliveries[insertion.delivery].origin
    for match in insertion.matches { story.note(match) }
    return SpooledStory(
      story,
      itemOf: deliveries[insertion.delivery].stories,
      at: insertion.story,
    )
  }

  private static let none = Item()

  /// For the store, which writes them in the order of the edits.
  var source: StorySource {
    StorySource(spooled: spooled)
  }
}
