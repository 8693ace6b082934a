import Aggregation
import FeedFetching
import FeedModel
import FeedStorage

/// `news refresh`: asks every feed now, stores, and shows what is new.
enum RefreshCommand: Command {
  static let name = "refresh"
  static let summary = "ask the feeds now, and show the new headlines"
  static let synopsis = "[FEED…] [--force] [--format TEMPLATE] [--keep N]"
  static let examples = [
    HelpExample("news refresh", "ask every feed"),
    HelpExample("news refresh reuters", "ask the feed whose title or URL has this in it"),
    HelpExample("news refresh tag:work", "ask the feeds with this tag"),
    HelpExample("news refresh https://example.com/feed.xml", "subscribe to it first, if need be"),
    HelpExample("news refresh --force", "fetch everything again, changed or not"),
  ]
  static let options =
    RefreshWords.options + [
      CommandOption(
        "force",
        help: "send no validators, so that every feed comes whole; ask held servers too",
      ),
      StoryTemplate.option,
    ]
  static let notes = [
    "FEED is a feed's URL, its title, or an unambiguous part of either; tag:NAME means all feeds "
      + "with a tag. The status is 1 when every feed failed.",
    "What has arrived is saved every five seconds. A feed at which three runs died is left alone; "
      + "`news refresh --force FEED` asks it all the same.",
    "A server that asked to wait (Retry-After) is left in peace until then, for `refresh` too, which "
      + "says which server and until when; --force asks all the same.",
  ]
  static let json: JSONForm? = .object("what the run came to", RefreshJSON.keys)

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    var options = try RefreshWords.read(context, command: name)
    let template = try StoryTemplate.read(context, command: name)
    options.isForced = context.arguments.has("force")
    let store = try context.store()
    var answers: [String: FirstAnswer] = [:]
    if !context.arguments.operands.isEmpty {
      let named = try NamedFeeds(context: context, store: store).read()
      options.feeds = named.urls
      answers = named.answers
    }
    let report = try RefreshRun(context: context, store: store, answers: answers)
      .run(options, progress: progressLine(context))
    if report.storageError == nil { ListingRecord.forget(store, context) }
    return try RefreshPrinter(context: context, template: template).print(report)
  }

  private static func progressLine(_ context: CommandContext) -> ProgressLine? {
    let environment = context.environment
    let isDumb = environment.variable("TERM") == "dumb"
    guard environment.terminal.isErrorTerminal, !context.isQuiet, !isDumb,
      !context.isVerbose
    else { return nil }
    return ProgressLine(output: environment.errorOutput, columns: context.columns)
  }
}
