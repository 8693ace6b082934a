/// A search for stories with the actions on those that match as they come.
///
/// One without an action is a saved search.
package struct StoryRule: Hashable, Sendable {
  /// A line of at most `maximumName` characters, unique whatever the case.
  package var name: String
  /// The URLs of subscriptions, and `tag:NAME`; empty for all stories.
  package var feeds: [String] = []
  package var grep: [String] = []
  /// Restricts a search to unread stories, or to starred ones; false in rules with actions, because
  /// a story that comes is unread and has no star.
  package var isUnread = false
  package var isStarred = false
  package var actions: [StoryAction] = []

  package static let maximumName = 64

  package init(name: String) {
    self.name = name
  }

  package var isSearch: Bool { actions.isEmpty }
  package var drops: Bool { actions.contains(.drop) }

  /// True for a rule that tells its reader of the stories that it matches as they come.
  ///
  /// That action is always the last: in files it stands apart from the others.
  package var notifies: Bool {
    get { actions.contains(.notify) }
    set { actions = actions.filter { $0 != .notify } + (newValue ? [.notify] : []) }
  }
}

package enum StoryAction: Hashable, Sendable {
  case read
  case star
  case tag(String)
  case drop
  case notify

  package init?(_ word: String) {
    let tag = String(word.dropFirst(4))
    let all = [.read, .star, .drop, .notify] + (tag.isEmpty ? [] : [Self.tag(tag)])
    guard let action = all.first(where: { $0.word == word }) else { return nil }
    self = action
  }

  package var word: String {
    switch self {
    case .read: "read"
    case .star: "star"
    case .drop: "drop"
    case .notify: "notify"
    case .tag(let name): "tag:\(name)"
    }
  }
}
