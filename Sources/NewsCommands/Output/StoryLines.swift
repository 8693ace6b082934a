import FeedModel

/// Stories as programs read them: tab-separated, a line each, never cut.
enum StoryLines {
  /// `n`, `title`, the date (`pubDate` unless `--dates` says otherwise), `feed`, `link`.
  static func line(_ story: ListedStory, _ dates: StoryDates) -> String {
    fields([String(story.number), story.title, dates.piped(story), story.feed, story.link])
  }

  /// Fields that hold no tab and no line break, since `SafeText` has made spaces of them.
  static func fields(_ fields: [String]) -> String {
    fields.map { SafeText.line($0) }.joined(separator: "\t")
  }
}
