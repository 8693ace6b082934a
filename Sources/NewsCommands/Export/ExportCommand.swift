import CommandLine
import FeedModel
import FeedParsing
import FeedStorage

struct ExportCommand: Command {
  static let name = "export"
  static let summary = "export feeds as OPML, or stories as JSON or CSV"
  static let synopsis = "[--json|--csv] [--feed FEED] [--unread] [--starred] …"
  static let examples = [
    HelpExample("news export > subscriptions.opml", "all subscriptions, tags as folders"),
    HelpExample("news export | ssh host news import -", "the same on another machine"),
    HelpExample("news export --json > stories.json", "all that is stored, for news import"),
    HelpExample("news export --csv --starred > stars.csv", "a table of some stories"),
  ]
  static let options =
    [CommandOption("csv", help: "print the stories as comma-separated values")]
    + StoryQuery.options
  static let notes = [
    "What imported lists had besides their feeds comes back as it was: the head, the order, folders "
      + "and their attributes, and attributes that `news` knows nothing of.",
    "--json has the stories with marks, whole texts, ids and dates, and which feeds you follow; "
      + "`news import` loses nothing of it. The options choose stories, as those of `list` do.",
    "--csv is a table (RFC 4180) without whole texts, for spreadsheets: a field that these would "
      + "take for a formula (it begins with =, +, - or @) has an apostrophe before it.",
  ]
  static let json: JSONForm? = StoryExport.json

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("export takes no operands; it prints: news export > FILE")
    }
    let isCSV = context.arguments.has("csv")
    guard !isCSV || !context.isJSON else { throw usage("either --json or --csv") }
    let store = try context.store()
    let library = try store.library()
    if isCSV {
      try StoryExport(context, library, in: store).printCSV()
      return .done
    }
    let hasPasswords = library.subscriptions.contains { WebURL.redacted($0.url) != $0.url }
    if hasPasswords {
      context.complain("the URLs of some feeds have passwords in them, and so has this file")
    }
    if context.isJSON {
      return try StoryExport(context, library, in: store).printJSON() ? .done : .failed
    }
    try checkNothingIsChosen()
    let document = try store.outlines()
    let date = MailDate.text(Int(clamping: context.clock.now()))
    for line in OPMLWriter(created: date).lines(library.subscriptions, document) {
      context.output.printLine(line)
    }
    return .done
  }

  private func checkNothingIsChosen() throws(CommandError) {
    if let option = StoryQuery.options.first(where: { context.arguments.has($0.key) }) {
      throw usage("\(option.spelling) chooses stories, which go with --json or --csv")
    }
  }
}
