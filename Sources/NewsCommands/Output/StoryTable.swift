import FeedModel

/// Stories as a terminal shows them: number, title, feed, date; fitted to the width.
struct StoryTable {
  let style: Style
  let dates: RelativeDate
  private let numberColumns: Int
  private let titleColumns: Int
  private let feedColumns: Int
  private let dateColumns: Int

  private static let gap = "  "

  init(_ stories: [ListedStory], columns: Int, hasFeeds: Bool, style: Style, dates: RelativeDate) {
    self.style = style
    self.dates = dates
    numberColumns = String(stories.map(\.number).max() ?? 1).count
    let widestDate = stories.map { Self.date($0, dates).utf8.count }.max() ?? 0
    let widestFeed = stories.map { TerminalText.width($0.feed) }.max() ?? 0
    dateColumns = columns >= 40 ? widestDate : 0
    feedColumns = hasFeeds && columns >= 60 ? min(widestFeed, max(12, columns / 5)) : 0
    let taken = [numberColumns, feedColumns, dateColumns].filter { $0 > 0 }
    titleColumns = max(1, columns - taken.reduce(0) { $0 + $1 + Self.gap.count })
  }

  /// One story on a line, without line feed.
  func line(_ story: ListedStory) -> String {
    let number = TerminalText.right(String(story.number), in: numberColumns)
    var line = style.dim(number) + Self.gap + title(story)
    if feedColumns > 0 {
      line += Self.gap + style.cyan(TerminalText.fit(story.feed, to: feedColumns))
    }
    if dateColumns > 0 {
      line += Self.gap + style.dim(TerminalText.right(Self.date(story, dates), in: dateColumns))
    }
    return line
  }

  private func title(_ story: ListedStory) -> String {
    let mark = story.isStarred ? "★ " : ""
    let whole = mark + story.title
    let text = TerminalText.cut(whole, to: titleColumns)
    let dressed = story.isRead ? text : style.bold(text)
    let hasColumnsAfter = feedColumns > 0 || dateColumns > 0
    let fill = hasColumnsAfter ? titleColumns - TerminalText.width(text) : 0
    return style.link(dressed, to: story.link) + TerminalText.spaces(fill)
  }

  private static func date(_ story: ListedStory, _ dates: RelativeDate) -> String {
    story.instant.map(dates.text) ?? ""
  }
}
