/// What is looked for in stories, and what becomes of those that match as they come.
///
/// One without an action is a saved search.
package struct StoryRule: Hashable, Sendable {
  /// A line of at most `maximumName` characters, which no other rule has in any case.
  package var name: String
  /// The URLs of subscriptions, and `tag:NAME`; empty for all stories.
  package var feeds: [String] = []
  /// As `--grep` takes them: all of them must match.
  package var grep: [String] = []
  /// Whether whole texts are looked in too.
  package var looksInTexts = false
  /// Of searches alone: what comes is unread, and has no star.
  package var isUnread = false
  package var isStarred = false
  package var actions: [StoryAction] = []

  package static let maximumName = 64

  package init(name: String) {
    self.name = name
  }

  package var isSearch: Bool { actions.isEmpty }
  package var drops: Bool { actions.contains(.drop) }
}

/// What a rule does to a story.
package enum StoryAction: Hashable, Sendable {
  case read
  case star
  case tag(String)
  /// It is not stored at all.
  case drop

  /// `read`, `star`, `drop` or `tag:NAME`; nil for any other word.
  package init?(_ word: String) {
    switch word {
    case "read": self = .read
    case "star": self = .star
    case "drop": self = .drop
    default:
      guard word.hasPrefix("tag:"), word.utf8.count > 4 else { return nil }
      self = .tag(String(word.dropFirst(4)))
    }
  }

  package var word: String {
    switch self {
    case .read: "read"
    case .star: "star"
    case .drop: "drop"
    case .tag(let name): "tag:\(name)"
    }
  }
}
