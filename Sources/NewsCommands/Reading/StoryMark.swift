import FeedStorage

/// What a mark command sets.
enum StoryMark: Hashable, Sendable {
  case read(Bool)
  case starred(Bool)

  /// The mark as a change of a story's.
  var change: ItemMarks {
    switch self {
    case .read(let value): ItemMarks(isRead: value)
    case .starred(let value): ItemMarks(isStarred: value)
    }
  }
}
