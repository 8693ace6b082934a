import FeedModel
import FeedStorage

/// Stories that came back by themselves with other content than they had: made from what is stored
/// of both when their turn to be written has come.
struct RewrittenStories {
  private let old: ItemTable
  private let new: ItemTable
  private var stories: [(place: Int, position: Int, feeds: [String])] = []

  init(old: ItemTable, new: ItemTable) {
    self.old = old
    self.new = new
  }

  /// Takes a story if it has other content.
  ///
  /// - Parameters:
  ///   - position: where it is now.
  ///   - place: where it was before.
  ///   - feeds: all that carry it.
  /// - Returns: its number for the source; nil for the same content.
  /// - Throws: when one of both cannot be read.
  mutating func add(
    _ position: Int,
    over place: Int,
    feeds: [String],
  ) throws(StorageError) -> Int? {
    guard try old.item(at: place).item != new.item(at: position).item else { return nil }
    stories.append((place, position, feeds))
    return stories.count - 1
  }

  private func story(_ number: Int) throws(StorageError) -> StoredItem {
    let (place, position, feeds) = stories[number]
    var story = try old.item(at: place)
    let new = try new.item(at: position)
    story.item = new.item
    story.feeds = feeds
    story.isRead = story.isRead || new.isRead
    story.isStarred = story.isStarred || new.isStarred
    return story
  }

  var source: StorySource {
    StorySource(whole: story)
  }
}
