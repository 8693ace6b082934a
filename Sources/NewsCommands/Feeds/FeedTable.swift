import FeedModel
import FeedStorage

/// Subscriptions as a terminal shows them; a wide one shows more of each.
struct FeedTable {
  let context: CommandContext
  let feeds: [FeedHealth]

  private struct Field {
    let column: TextTable.Column
    /// The terminal's columns from which on it is shown.
    var least = 0
    let text: (FeedHealth) -> String
  }

  func lines() -> [String] {
    let fields = fields.filter { $0.least <= context.columns }
    let table = TextTable(
      columns: fields.map(\.column),
      width: context.columns,
      style: context.style,
    )
    let lines = table.lines(shortened(feeds.map { feed in fields.map { $0.text(feed) } }, table))
    return lines.enumerated().flatMap { index, line in
      guard index > 0, let trouble = trouble(feeds[index - 1]) else { return [line] }
      let text = TerminalText.cut("  " + trouble, to: context.columns)
      return [line, context.style.red(text)]
    }
  }

  /// Rows whose names are shortened so that they can still be told apart, as in a list.
  private func shortened(_ rows: [[String]], _ table: TextTable) -> [[String]] {
    let names = Set(rows.map { $0[0] })
    let short = ShortFeedNames(names, among: names, columns: table.width(of: 0, in: rows))
    return rows.map { [short.name($0[0])] + $0.dropFirst() }
  }

  private var fields: [Field] {
    let dates = RelativeDate(clock: context.clock)
    var fields = [
      Field(column: .init("feed", gives: true)) { FeedName.printable($0.subscription) },
      Field(column: .init("unread", isRight: true)) { String($0.activity.unread) },
      Field(column: .init("stories", isRight: true), least: 60) { String($0.activity.stories) },
      Field(column: .init("posts"), least: 70) {
        $0.interval.map(PostingRate.text) ?? ""
      },
      Field(column: .init("newest"), least: 100) { $0.activity.newest.map(dates.text) ?? "" },
      Field(column: .init("last"), text: \.outcomeText),
      Field(column: .init("asked"), least: 100) { feed in
        feed.subscription.state.lastAsked.map { dates.text($0.wholeSeconds) } ?? ""
      },
      Field(column: .init("next"), least: 50) { feed in
        feed.next.map(dates.dueText) ?? ""
      },
    ]
    if feeds.contains(where: { !$0.subscription.tags.isEmpty }) {
      let tags = Field(column: .init("tags", gives: true), least: 120) {
        $0.subscription.tags.map { SafeText.line($0) }.joined(separator: ", ")
      }
      fields.append(tags)
    }
    return fields
  }

  /// `server answered 503 (3 times): https://…`.
  private func trouble(_ feed: FeedHealth) -> String? {
    let state = feed.subscription.state
    let wish = feed.hold.map { RelativeDate(clock: context.clock).wish($0) }
    guard let error = state.lastError else { return wish }
    var times = state.failures > 1 ? " (\(state.failures) times)" : ""
    if let wish { times += "; \(wish)" }
    return "\(SafeText.line(error))\(times): \(FeedName.printableURL(feed.subscription.url))"
  }
}

/// How often a feed posts, in words: `5 a day`, `2 a week`, `1 a month`, `3 a year`.
enum PostingRate {
  private static let units: [(seconds: Double, name: String)] = [
    (86_400, "day"), (604_800, "week"), (2_629_746, "month"),
    (31_556_952, "year"),
  ]

  /// The words for a story every so many seconds; at most nine columns wide.
  static func text(interval: Int) -> String {
    for unit in units {
      let rate = unit.seconds / Double(max(interval, 1))
      guard rate > 0.95 else { continue }
      return rate > 999 ? "> 999/day" : "\(Int(rate.rounded())) a \(unit.name)"
    }
    return "rarely"
  }
}
