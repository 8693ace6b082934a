import FeedModel
import FeedStorage

struct ListCommand: Command {
  static let name = "list"
  static let summary = "the stories, newest first, numbered"
  static let synopsis =
    "[-n N] [--feed FEED] [--unread] [--starred] [--since WHEN] …"
  static let examples = [
    HelpExample("news list", "the newest stories"),
    HelpExample("news list --unread --since yesterday", "what is left of the last two days"),
    HelpExample("news list --feed reuters -n 50", "fifty stories of one feed"),
    HelpExample("news list --feed tag:work", "those of all feeds with this tag"),
    HelpExample("news list --grep café", "stories with this in title or summary"),
    HelpExample(#"news list --grep '/\bchips?\b/'"#, "the same with a regular expression"),
    HelpExample("news list --dates iso", "with exact dates"),
    HelpExample("news list --format '{date:%F} {title} <{link}>'", "in a form of your own"),
    HelpExample("news list --json | jq -r '.[].link'", "the links of all stories"),
  ]
  static let options =
    [
      CommandOption(
        "",
        "n",
        value: "N",
        help: "at most N stories (20 on a terminal, all when piped)",
      )
    ] + StoryQuery.options + [
      CommandOption("reverse", "r", help: "the newest last"), DateChoice.option,
      StoryTemplate.option, Pager.option,
    ]
  static let notes =
    [
      "The numbers are those that `open`, `show`, `read` and the other marks understand, until the "
        + "next list or refresh.",
      "--grep looks for all words, in any order; \"two words\" in quotation marks are one. Between "
        + "slashes stands a regular expression as PCRE2 reads them (pcre2pattern(3)).",
      "Piped, each story is a line of five fields with tabs between them: number, title, date as "
        + "published, feed, link.",
    ] + StoryTemplate.notes
  static let json: JSONForm? = .array("the stories, in the order of the list", StoryJSON.fields)

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      let feed = ShellWord.proposed(context.arguments.operands[0], or: "FEED")
      throw usage("list takes options only; for a feed: news list --feed \(feed)")
    }
    let limit = try context.number("n", 0...Int.max)
    let template = try StoryTemplate.read(context)
    let dates = StoryDates(try DateChoice.read(context), clock: context.clock)
    let store = try context.store()
    let library = try store.library(.names)
    let query = try StoryQuery(context, library.subscriptions)
    var positions = try context.positions(
      of: query,
      in: library.items,
      atMost: limit ?? (context.isOnTerminal ? 20 : .max),
    )
    if context.arguments.has("reverse") { positions.reverse() }
    let listing = StoryListing(library, query, dates, template, context)
    try listing.print(positions) { ids in
      // What nobody has seen gives no numbers.
      guard context.output.hasServedReader else { return }
      // Nothing can be seen in an empty library: later stories are numbered by their places.
      if library.items.count == 0 {
        context.forgetListing(in: store)
      } else {
        context.recordListing(ids, places: positions, in: store)
      }
    }
    return context.output.hasServedReader ? .done : .failed
  }
}
