import FeedModel
import FeedStorage

/// What a mark command sets.
enum StoryMark: Hashable, Sendable {
  case read(Bool)
  case starred(Bool)

  /// The story with the mark; nil when it has it already.
  func applied(to story: StoredItem) -> StoredItem? {
    var changed = story
    switch self {
    case .read(let value): changed.isRead = value
    case .starred(let value): changed.isStarred = value
    }
    return changed == story ? nil : changed
  }

  /// Whether a story has the mark already, by what is cheap to ask.
  func isSet(_ items: ItemTable, _ index: Int) throws(StorageError) -> Bool {
    switch self {
    case .read(let value): try items.isRead(at: index) == value
    case .starred(let value): try items.isStarred(at: index) == value
    }
  }
}
