import FeedModel

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
