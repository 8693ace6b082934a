package import CommandLine
import FeedModel

/// A list of stories for a terminal: number, title, feed and date, fitted to its width.
///
/// A narrow terminal loses the feed first, then the date, never the number. On a wide one the
/// columns stand next to the titles, not at the far edge.
package struct ListTable {
  package var style: Style
  let dates: StoryDates
  private let names: ShortFeedNames
  private let signColumns: Int
  private let numberColumns: Int
  private let columns: Int
  private let titleColumns: Int
  private let feedColumns: Int
  private let dateColumns: Int
  /// True where bold says too little: a point then marks unread stories.
  private let hasPoints: Bool

  private static let gap = "  "
  /// The least columns of a title when the other columns want room.
  private static let leastTitle = 16
  private static let leastTitleBesideFeed = 26

  package enum Extent {
    case fitted
    /// The width of the terminal without a sign before each line, so that tables that follow each
    /// other are equal.
    case steady
    /// The width of a pane, without numbers; a point before what is unread.
    case pane
  }

  /// Takes the names of all feeds; nil hides the column of feeds.
  package init(
    _ stories: [ListedStory],
    columns: Int,
    feeds: FeedName?,
    style: Style,
    dates: StoryDates,
    _ extent: Extent = .fitted,
  ) {
    self.style = style
    self.columns = columns
    let dates = dates.agreeing(on: stories)
    self.dates = dates
    let gap = Self.gap.count
    let least =
      switch extent {
      case .fitted: (sign: 0, number: 1, date: 0)
      case .steady: (sign: 2, number: 3, date: 10)
      case .pane: (sign: 0, number: 0, date: 11)
      }
    hasPoints = extent == .pane || !style.isColored
    let numbers = stories.compactMap(\.number).max() ?? (extent == .pane ? nil : 1)
    numberColumns = max(least.number, numbers.map { String($0).count } ?? 0)
    signColumns = least.sign
    var room = columns - signColumns - numberColumns - gap
    let widestDate =
      stories.map { TerminalText.width(dates.text($0)) }.max() ?? 0
    let date = max(least.date, widestDate)
    dateColumns = date > 0 && room - gap - date >= Self.leastTitle ? date : 0
    if dateColumns > 0 { room -= gap + dateColumns }
    let feedRoom = max(12, columns / 5)
    names = ShortFeedNames(
      feeds == nil ? [] : Set(stories.map(\.feed)),
      among: feeds?.all ?? [],
      columns: feedRoom,
    )
    let isFeedShown = names.columns > 0 && room - gap - names.columns >= Self.leastTitleBesideFeed
    feedColumns = isFeedShown ? (extent == .pane ? feedRoom : names.columns) : 0
    if feedColumns > 0 { room -= gap + feedColumns }
    let widest = stories.map { TerminalText.width(Self.text($0), .apart) }.max() ?? 0
    titleColumns = max(1, extent == .fitted ? min(room, widest) : room)
  }

  package func line(_ story: ListedStory) -> String {
    let number = TerminalText.right(story.numberText, in: numberColumns)
    var line = style.dim(number) + mark(story) + title(story)
    if feedColumns > 0 {
      let feed = TerminalText.cut(names.name(story.feed), to: feedColumns, .apart)
      let start = self.start + titleColumns + Self.gap.count
      line += Self.gap + style.cyan(feed)
      line += style.fill(after: feed, from: start, to: start + feedColumns)
    }
    if dateColumns > 0 {
      line +=
        Self.gap
        + style.dim(TerminalText.right(dates.text(story), in: dateColumns))
    }
    return line
  }

  /// Returns a line such as `+2: 4 BBC News, 5 The Guardian`; none for a row of one story.
  func similar(_ story: ListedStory) -> [String] {
    guard !story.similar.isEmpty else { return [] }
    let others = story.similar.map { ($0.number.map { "\($0) " } ?? "") + $0.feed }.joined(
      separator: ", "
    )
    let line = "+\(story.similar.count): \(others)"
    let text = TerminalText.cut(line, to: max(columns - start, 1))
    return [TerminalText.spaces(start) + style.dim(text)]
  }

  func files(_ story: ListedStory) -> [String] {
    story.enclosures.map { file in
      let words = file.words
      let text = TerminalText.cut(words.isEmpty ? file.url : words, to: max(columns - start, 1))
      return TerminalText.spaces(start) + style.link(style.dim(text), to: file.url)
    }
  }

  private var start: Int { signColumns + numberColumns + Self.gap.count }

  private func mark(_ story: ListedStory) -> String {
    hasPoints && !story.isRead ? "• " : Self.gap
  }

  private func title(_ story: ListedStory) -> String {
    let text = TerminalText.cut(Self.text(story), to: titleColumns, .apart)
    let styled = story.isRead ? text : style.bold(text)
    let hasColumnsAfter = feedColumns > 0 || dateColumns > 0
    let fill = style.fill(after: text, from: start, to: start + titleColumns)
    return style.link(styled, to: story.link) + (hasColumnsAfter ? fill : "")
  }

  private static func text(_ story: ListedStory) -> String {
    (story.isStarred ? "★ " : "") + (story.hasNote ? "✎ " : "") + story.title
  }
}
