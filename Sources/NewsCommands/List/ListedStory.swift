import FeedModel

/// A story in a list: what the columns show of it.
struct ListedStory: Hashable, Sendable {
  let number: Int
  let title: String
  let link: String
  /// As published.
  let pubDate: String
  /// The feed's name.
  let feed: String
  /// When it appeared, in seconds since 1970; nil when nothing is known.
  let instant: Int?
  let isRead: Bool
  let isStarred: Bool
}

/// What to call a story when people read it.
enum StoryTitle {
  /// The title, else the beginning of the summary: microblogs give their posts no titles.
  static func text(_ title: String, summary: String?) -> String {
    let title = TerminalText.withoutSoftHyphens(SafeText.line(title))
    guard title.isEmpty else { return title }
    let summary = SafeText.prefix(SafeText.line(summary ?? ""), maximumCharacters: 120)
    return summary.isEmpty ? "(untitled)" : TerminalText.withoutSoftHyphens(summary)
  }

  static func text(_ item: Item) -> String {
    text(item.title, summary: item.summary)
  }
}

/// Lines for programs: tab-separated, never cut.
enum StoryLines {
  /// Fields that hold no tab and no line break, since `SafeText` has made spaces of them.
  static func fields(_ fields: [String]) -> String {
    fields.map { SafeText.line($0) }.joined(separator: "\t")
  }
}
