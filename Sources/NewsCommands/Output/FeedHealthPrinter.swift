import FeedModel
import FeedParsing
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Prints the subscriptions: as a table, as lines, or as JSON.
struct FeedHealthPrinter {
  let context: CommandContext
  /// Seconds since 1970.
  let now: Int

  static let keys = [
    JSONKey("url", "without user and password"),
    JSONKey("title", "your name for it, else its own; null before it was first asked"),
    JSONKey("link", "its web page"),
    JSONKey("tags", "an array of strings"),
    JSONKey("passwordCommand", "whether a command says its password"),
    JSONKey("stories", "how many are stored"),
    JSONKey("unread", "how many of them are not read"),
    JSONKey("newest", "the date of the newest story, as YYYY-MM-DDTHH:MM:SSZ"),
    JSONKey("interval", "seconds between stories on average, null when nobody can tell"),
    JSONKey("outcome", "of the last time: newData, noData or failed; null before"),
    JSONKey("status", "of the last answer"),
    JSONKey("error", "why it failed the last time, null when it did not"),
    JSONKey("failures", "how many times in a row it has failed"),
    JSONKey("gone", "whether its server said that it is gone (410): it is not asked any more"),
    JSONKey("deaths", "runs that died while it was being asked: after three it is left alone"),
    JSONKey("lastAsked", "as YYYY-MM-DDTHH:MM:SSZ"),
    JSONKey("lastSucceeded", "as YYYY-MM-DDTHH:MM:SSZ"),
    JSONKey("nextDue", "not asked by fetch --due before; null when it is due, gone or left alone"),
    JSONKey("heldBy", "the server that asked to wait (Retry-After), as https://example.com"),
    JSONKey("heldUntil", "until when, as YYYY-MM-DDTHH:MM:SSZ"),
  ]

  func print(_ feeds: [FeedHealth]) {
    if context.isJSON {
      var array = JSONArrayPrinter(context.output)
      for feed in feeds { array.print(json(feed)) }
      array.finish()
    } else if !context.isOnTerminal {
      for feed in feeds { context.output.printLine(StoryLines.fields(fields(feed))) }
    } else if !feeds.isEmpty {
      let lines = FeedTable(context: context, feeds: feeds, now: now).lines()
      Pager(context).print(lines.map { $0 + "\n" })
    }
  }

  private func fields(_ feed: FeedHealth) -> [String] {
    let state = feed.subscription.state
    return [
      FeedName.withoutPassword(feed.subscription.url), feed.subscription.displayTitle,
      state.lastOutcome?.rawValue ?? "", String(feed.activity.stories),
      String(feed.activity.unread), state.lastAsked.map(FeedDate.rfc3339String) ?? "",
      state.nextDue.map(FeedDate.rfc3339String) ?? "", state.lastError ?? "",
      newest(feed) ?? "", feed.activity.interval(now: now).map(String.init) ?? "",
      feed.subscription.tags.joined(separator: ", "),
    ]
  }

  private func json(_ feed: FeedHealth) -> JSONValue {
    let state = feed.subscription.state
    return .object([
      JSONMember("url", .string(FeedName.withoutPassword(feed.subscription.url))),
      JSONMember("title", .text(feed.subscription.title ?? state.title)),
      JSONMember("link", .text(state.link)),
      JSONMember("tags", .strings(feed.subscription.tags)),
      JSONMember("passwordCommand", .boolean(feed.subscription.passwordCommand != nil)),
      JSONMember("stories", .integer(feed.activity.stories)),
      JSONMember("unread", .integer(feed.activity.unread)),
      JSONMember("newest", .text(newest(feed))),
      JSONMember("interval", .number(feed.activity.interval(now: now))),
      JSONMember("outcome", .text(state.lastOutcome?.rawValue)),
      JSONMember("status", .number(state.lastStatus)),
      JSONMember("error", .text(state.lastError)),
      JSONMember("failures", .integer(state.failures)),
      JSONMember("gone", .boolean(state.isGone)),
      JSONMember("deaths", .integer(state.deaths?.count ?? 0)),
      JSONMember("lastAsked", .text(state.lastAsked.map(FeedDate.rfc3339String))),
      JSONMember("lastSucceeded", .text(state.lastSucceeded.map(FeedDate.rfc3339String))),
      JSONMember("nextDue", .text(state.nextDue.map(FeedDate.rfc3339String))),
      JSONMember("heldBy", .text(feed.hold?.server)),
      JSONMember("heldUntil", .text(feed.hold.map { FeedDate.rfc3339String($0.until) })),
    ])
  }

  private func newest(_ feed: FeedHealth) -> String? {
    feed.activity.newest.map {
      FeedDate.rfc3339String(Date(timeIntervalSince1970: Double($0)))
    }
  }
}
