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

  /// Whether a story with these marks has it already.
  func isSet(in marks: ItemMarks) -> Bool {
    switch self {
    case .read(let value): marks.isRead == value
    case .starred(let value): marks.isStarred == value
    }
  }
}
