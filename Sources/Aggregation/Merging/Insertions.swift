package import FeedModel
package import FeedStorage
import System

/// The stories that a merge adds, made one at a time.
package struct Insertions: Sendable {
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
  package func story(_ number: Int) throws(StorageError) -> StoredItem {
    try spooled(number).whole()
  }

  func spooled(_ number: Int) -> SpooledStory {
    let insertion = all[number]
    let id = ItemID.text(insertion.id)
    var story = StoredItem(id: id, item: Self.none, feeds: insertion.feeds, stored: now)
    story.isRead = insertion.isRead
    for match in insertion.matches { story.note(match) }
    return SpooledStory(
      story,
      itemOf: deliveries[insertion.delivery].stories,
      at: insertion.story,
    )
  }

  private static let none = Item()
}

struct Insertion: Hashable, Sendable {
  /// Which delivery brings it, and its place in that.
  let delivery: Int
  let story: Int
  let id: UInt64
  var feeds: [String]
  /// A story that retention once dropped does not come back as unread.
  let isRead: Bool
  var matches: [StoryMatch] = []
  let placement: Placement
}
