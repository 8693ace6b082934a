import FeedModel
import FeedParsing
import FeedStorage

struct FeedHealthPrinter {
  let context: CommandContext

  static let fields: [JSONField<FeedHealth>] = [
    JSONField("url", "without user and password") {
      .string(WebURL.redacted($0.subscription.url))
    },
    JSONField("title", "your name for it, else its own; null before it was first asked") {
      .text($0.subscription.title ?? $0.subscription.state.title)
    },
    JSONField("link", "its web page") { .text($0.subscription.state.link) },
    JSONField("tags", "an array of strings") { .strings($0.subscription.tags) },
    JSONField("passwordCommand", "whether a command says its password") {
      .boolean($0.subscription.passwordCommand != nil)
    },
    JSONField("stories", "how many are stored") { .integer($0.activity.stories) },
    JSONField("unread", "how many of them are not read") { .integer($0.activity.unread) },
    JSONField("newest", "the date of the newest story, as YYYY-MM-DDTHH:MM:SSZ") {
      .date(newest($0))
    },
    JSONField("interval", "seconds between stories on average, null when nobody can tell") {
      .number($0.interval)
    },
    JSONField("outcome", "of the last time: newData, noData or failed; null before") {
      .text($0.subscription.state.lastOutcome?.rawValue)
    },
    JSONField("status", "of the last answer") { .number($0.subscription.state.lastStatus) },
    JSONField("error", "why it failed the last time, null when it did not") {
      .text($0.subscription.state.lastError)
    },
    JSONField("failures", "how many times in a row it has failed") {
      .integer($0.subscription.state.failures)
    },
    JSONField("gone", "whether its server said that it is gone (410): it is not asked any more") {
      .boolean($0.subscription.state.isGone)
    },
    JSONField("deaths", "runs that died while it was being asked: after three it is left alone") {
      .integer($0.subscription.state.deaths?.count ?? 0)
    },
    JSONField("lastAsked", "as YYYY-MM-DDTHH:MM:SSZ") { .date($0.subscription.state.lastAsked) },
    JSONField("lastSucceeded", "as YYYY-MM-DDTHH:MM:SSZ") {
      .date($0.subscription.state.lastSucceeded)
    },
    JSONField(
      "nextDue",
      "not asked by fetch --due before; null when it is due, gone or left alone",
    ) { .date($0.subscription.state.nextDue) },
    JSONField("heldBy", "the server that asked to wait (Retry-After), as https://example.com") {
      .text($0.hold?.server)
    },
    JSONField("heldUntil", "until when, as YYYY-MM-DDTHH:MM:SSZ") { .date($0.hold?.until) },
  ]

  func print(_ feeds: [FeedHealth]) {
    if context.isJSON {
      context.output.printJSON(feeds, Self.fields)
    } else if !context.isOnTerminal {
      for feed in feeds { context.output.printLine(TabSeparated.line(texts(feed))) }
    } else if !feeds.isEmpty {
      let lines = FeedTable(context: context, feeds: feeds).lines()
      Pager(context).print(lines.map { $0 + "\n" })
    }
  }

  private func texts(_ feed: FeedHealth) -> [String] {
    let state = feed.subscription.state
    let dates = [state.lastAsked, state.nextDue, Self.newest(feed)]
      .map { $0.map(FeedDate.rfc3339String) ?? "" }
    return [
      WebURL.redacted(feed.subscription.url), feed.subscription.displayTitle,
      state.lastOutcome?.rawValue ?? "", String(feed.activity.stories),
      String(feed.activity.unread), dates[0], dates[1], state.lastError ?? "", dates[2],
      feed.interval.map(String.init) ?? "", feed.subscription.tags.joined(separator: ", "),
    ]
  }

  private static func newest(_ feed: FeedHealth) -> Date? {
    feed.activity.newest.map { Date(timeIntervalSince1970: Double($0)) }
  }
}
