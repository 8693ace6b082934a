import FeedModel
import FeedParsing

/// Prints the subscriptions: as a table, as lines, or as JSON.
struct FeedHealthPrinter {
  let context: CommandContext
  /// Whether there is any subscription at all.
  let hasAny: Bool

  static let keys = [
    JSONKey("url", "without user and password"),
    JSONKey("title", "your name for it, else its own; null before it was first asked"),
    JSONKey("link", "its web page"),
    JSONKey("tags", "an array of strings"),
    JSONKey("stories", "how many are stored"),
    JSONKey("unread", "how many of them are not read"),
    JSONKey("outcome", "of the last time: newData, noData or failed; null before"),
    JSONKey("status", "of the last answer"),
    JSONKey("error", "why it failed the last time, null when it did not"),
    JSONKey("failures", "how many times in a row it has failed"),
    JSONKey("gone", "whether its server said that it is gone (410): it is not asked any more"),
    JSONKey("lastAsked", "as YYYY-MM-DDTHH:MM:SSZ"),
    JSONKey("lastSucceeded", "as YYYY-MM-DDTHH:MM:SSZ"),
    JSONKey("nextDue", "not asked by fetch --due before"),
  ]

  func print(_ feeds: [FeedHealth]) {
    if context.isJSON {
      var array = JSONArrayPrinter(context.output)
      for feed in feeds { array.print(Self.json(feed)) }
      array.finish()
    } else if !context.isOnTerminal {
      for feed in feeds { context.output.printLine(StoryLines.fields(Self.fields(feed))) }
    } else if feeds.isEmpty {
      context.say(hasAny ? "no feed is failing" : "no subscriptions yet: `news subscribe URL`")
    } else {
      printTable(feeds)
    }
  }

  private func printTable(_ feeds: [FeedHealth]) {
    let dates = RelativeDate(clock: context.environment.clock)
    let hasTags = feeds.contains { !$0.subscription.tags.isEmpty }
    var columns: [TextTable.Column] = [
      .init("feed", gives: true), .init("unread", isRight: true),
      .init("stories", isRight: true), .init("last", gives: false), .init("asked"),
      .init("next"),
    ]
    if hasTags { columns.append(.init("tags", gives: true)) }
    let rows = feeds.map { feed in
      Self.cells(feed, dates) + (hasTags ? [feed.subscription.tags.joined(separator: ", ")] : [])
    }
    let table = TextTable(columns: columns, width: context.columns, style: context.style)
    for (index, line) in table.lines(rows).enumerated() {
      context.output.printLine(line)
      if index > 0, let error = Self.error(feeds[index - 1]) {
        let text = TerminalText.cut("  " + error, to: context.columns)
        context.output.printLine(context.style.red(text))
      }
    }
  }

  private static func cells(_ feed: FeedHealth, _ dates: RelativeDate) -> [String] {
    let state = feed.subscription.state
    return [
      FeedName.printable(feed.subscription), String(feed.counts.unread),
      String(feed.counts.total), feed.outcomeText,
      state.lastAsked.map { dates.text($0.wholeSeconds) } ?? "",
      state.isGone
        ? "" : state.nextDue.map { dates.dueText($0.wholeSeconds) } ?? "",
    ]
  }

  private static func error(_ feed: FeedHealth) -> String? {
    guard let error = feed.subscription.state.lastError else { return nil }
    return "\(FeedName.printableURL(feed.subscription.url)): \(SafeText.line(error))"
  }

  private static func fields(_ feed: FeedHealth) -> [String] {
    let state = feed.subscription.state
    return [
      FeedName.withoutPassword(feed.subscription.url), feed.subscription.displayTitle,
      state.lastOutcome?.rawValue ?? "", String(feed.counts.total), String(feed.counts.unread),
      state.lastAsked.map(FeedDate.rfc3339String) ?? "",
      state.nextDue.map(FeedDate.rfc3339String) ?? "", state.lastError ?? "",
    ]
  }

  private static func json(_ feed: FeedHealth) -> JSONValue {
    let state = feed.subscription.state
    return .object([
      JSONMember("url", .string(FeedName.withoutPassword(feed.subscription.url))),
      JSONMember("title", .text(feed.subscription.title ?? state.title)),
      JSONMember("link", .text(state.link)),
      JSONMember("tags", .strings(feed.subscription.tags)),
      JSONMember("stories", .integer(feed.counts.total)),
      JSONMember("unread", .integer(feed.counts.unread)),
      JSONMember("outcome", .text(state.lastOutcome?.rawValue)),
      JSONMember("status", .number(state.lastStatus)),
      JSONMember("error", .text(state.lastError)),
      JSONMember("failures", .integer(state.failures)),
      JSONMember("gone", .boolean(state.isGone)),
      JSONMember("lastAsked", .text(state.lastAsked.map(FeedDate.rfc3339String))),
      JSONMember("lastSucceeded", .text(state.lastSucceeded.map(FeedDate.rfc3339String))),
      JSONMember("nextDue", .text(state.nextDue.map(FeedDate.rfc3339String))),
    ])
  }
}
