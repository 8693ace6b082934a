import FeedModel
import FeedStorage

/// `news export`: prints the subscriptions for another reader.
enum ExportCommand: Command {
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
  static let json: JSONForm? = .array("the subscriptions, in your order", keys)

  private static let keys = [
    JSONKey("url", "with user and password, as the OPML has it"),
    JSONKey("title", "your name for it, else its own"),
    JSONKey("tags", "an array of strings"),
  ]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("export takes no operands; it prints: news export > FILE")
    }
    let store = try context.store()
    let subscriptions = try store.library().subscriptions
    if context.isJSON {
      printJSON(subscriptions, context)
    } else {
      printOPML(subscriptions, try store.outlines(), context)
    }
    if subscriptions.contains(where: { WebURL.redacted($0.url) != $0.url }) {
      context.complain("the URLs of some feeds have passwords in them, and so has this file")
    }
    return .done
  }

  private static func printOPML(
    _ subscriptions: [Subscription],
    _ document: OutlineDocument,
    _ context: CommandContext,
  ) {
    let date = MailDate.text(Int(clamping: context.environment.clock.now()))
    for line in OPMLWriter(created: date).lines(subscriptions, document) {
      context.output.printLine(line)
    }
  }

  private static func printJSON(_ subscriptions: [Subscription], _ context: CommandContext) {
    var array = JSONArrayPrinter(context.output)
    for subscription in subscriptions {
      array.print(
        .object([
          JSONMember("url", .string(subscription.url)),
          JSONMember("title", .text(subscription.title ?? subscription.state.title)),
          JSONMember("tags", .strings(subscription.tags)),
        ])
      )
    }
    array.finish()
  }
}
