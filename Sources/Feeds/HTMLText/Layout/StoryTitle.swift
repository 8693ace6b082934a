package import FeedModel
internal import System

package enum StoryTitle {
  /// Returns the title, else the beginning of the summary: microblogs give their posts no titles.
  package static func text(_ title: String, summary: String?) -> String {
    let title = SafeText.line(title)
    guard title.isEmpty else { return title }
    let summary = SafeText.prefix(SafeText.line(summary ?? ""), maximumCharacters: 120)
    return summary.isEmpty ? "(untitled)" : summary
  }

  package static func text(_ item: Item) -> String {
    text(item.title, summary: item.summary)
  }
}
