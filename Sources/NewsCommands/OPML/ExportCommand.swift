import FeedModel
import FeedStorage

struct ExportCommand: Command {
  static let name = "export"
  static let summary = "print the subscriptions as OPML"
  static let synopsis = ""
  static let examples = [
    HelpExample("news export > subscriptions.opml", "all subscriptions, tags as folders"),
    HelpExample("news export | ssh host news import -", "the same on another machine"),
  ]
  static let notes = [
    "What imported lists had besides their feeds comes back as it was: the head, the order, folders "
      + "and their attributes, and attributes that `news` knows nothing of."
  ]
  static let json: JSONForm? = .array("the subscriptions, in your order", fields)

  private static let fields: [JSONField<Subscription>] = [
    JSONField("url", "with user and password, as the OPML has it") { .string($0.url) },
    JSONField("title", "your name for it, else its own") { .text($0.title ?? $0.state.title) },
    JSONField("tags", "an array of strings") { .strings($0.tags) },
  ]

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("export takes no operands; it prints: news export > FILE")
    }
    let store = try context.store()
    let subscriptions = try store.library().subscriptions
    if context.isJSON {
      context.output.printJSON(subscriptions, Self.fields)
    } else {
      let document = try store.outlines()
      let date = MailDate.text(Int(clamping: context.clock.now()))
      for line in OPMLWriter(created: date).lines(subscriptions, document) {
        context.output.printLine(line)
      }
    }
    if subscriptions.contains(where: { WebURL.redacted($0.url) != $0.url }) {
      context.complain("the URLs of some feeds have passwords in them, and so has this file")
    }
    return .done
  }
}

/// Dates as RFC 822 has them, in UTC, which OPML asks for.
enum MailDate {
  /// `Sun, 01 Nov 2026 10:42:00 GMT`; seconds since 1970, not negative.
  static func text(_ seconds: Int) -> String {
    let day = CivilDate(daysSinceEpoch: max(0, seconds) / 86_400)
    let time = max(0, seconds) % 86_400
    let clock = [time / 3600, time / 60 % 60, time % 60].map { $0.padded(to: 2) }
    let date = "\(day.day.padded(to: 2)) \(CalendarName.shortMonth(day.month)) \(day.year)"
    let weekday = CalendarName.shortWeekday(day.weekday)
    return "\(weekday), \(date) \(clock.joined(separator: ":")) GMT"
  }
}
