import FeedModel
import FeedStorage

/// `news feeds`: the subscriptions and how they are.
enum FeedsCommand: Command {
  static let name = "feeds"
  static let summary = "the subscriptions, and how each is"
  static let synopsis = "[--failing]"
  static let examples = [
    HelpExample("news feeds", "all feeds: stories, last outcome, when next due"),
    HelpExample("news feeds --failing", "only those whose last fetch failed"),
    HelpExample("news feeds --json", "everything known of them, for a program"),
  ]
  static let options = [CommandOption("failing", help: "only feeds whose last fetch failed")]
  static let notes = [
    "Piped, each feed is a line with tabs between its fields: URL, title, outcome, stories, unread "
      + "stories, last asked, next due, error."
  ]
  static let json: JSONForm? = .array("the subscriptions, in your order", FeedHealthPrinter.keys)

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("feeds takes no operands: news feeds")
    }
    let library = try context.store().library()
    let counts = try FeedCounts(library.items)
    let shown = library.subscriptions.filter {
      !context.arguments.has("failing") || $0.state.lastOutcome == .failed
    }
    let health = shown.map { FeedHealth(subscription: $0, counts: counts.of($0.url)) }
    FeedHealthPrinter(context: context, hasAny: !library.subscriptions.isEmpty).print(health)
    return .done
  }
}
