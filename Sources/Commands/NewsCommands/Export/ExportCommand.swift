import CommandLine
import CommandSupport
import FeedModel
import FeedParsing
import FeedStorage
import Searching

struct ExportCommand: Command {
  static let name = "export"
  static let summary = "export feeds as OPML, or stories as JSON or Markdown"
  static let synopsis = "[--json|--markdown DIR] [--feed FEED] [--unread] [--starred] …"
  static let examples = [
    HelpExample("news export > subscriptions.opml", "all feeds, with tags as folders"),
    HelpExample(
      "news export | ssh host news import -",
      "follow the same feeds on another machine",
    ),
    HelpExample("news export --json > stories.json", "everything that is stored, for news import"),
    HelpExample("news export --json --starred > stars.json", "some of it"),
    HelpExample("news export --markdown ~/notes --starred", "a file of Markdown for each story"),
  ]
  static let options =
    [
      CommandOption("with-passwords", help: "do not leave out passwords that are in feeds' URLs"),
      markdown,
    ] + StoryQuery.options
  private static let markdown = CommandOption(
    "markdown",
    help: "write each story into DIR as Markdown (CommonMark), with its facts in front",
  )
  static let exclusions = [["json", markdown.name], ["with-passwords", markdown.name]]
  static let notes = [
    "Passwords in the URLs of feeds are left out with their users, unless you give --with-passwords. "
      + "`news import` finds such a feed again by the rest of its URL.",
    "What else an imported list contained comes back as it was: its head, order, folders and "
      + "attributes, including attributes that `news` does not know.",
    "--json exports stories with marks, whole texts, ids and dates, and the feeds you "
      + "follow. `news import` restores all of it. The filters are those of `news list`, but the "
      + "stories of hidden feeds are there, too.",
    "--markdown writes the stories that are not in DIR yet; files that are there stay as they are, with "
      + "what you wrote into them.",
  ]
  static let json: JSONForm? = StoryExport.json

  let context: CommandContext

  var readerAccess: ReaderAccess? {
    context.arguments.has(Self.markdown.name) ? .texts : nil
  }

  func run() throws -> ExitStatus {
    let folder = try folder()
    let store = try context.store()
    let library = try store.read()
    if let folder {
      try StoryExport(context, library, in: store).writeMarkdown(into: folder)
      return .done
    }
    sayWhatIsSecret(library.subscriptions)
    if context.isJSON {
      let export = try StoryExport(context, library, in: store)
      return try export.printJSON(hasPasswords: hasPasswords) ? .done : .failed
    }
    try checkNothingIsChosen()
    sayWhatIsLeftOut(library.subscriptions)
    let lines = try OPMLWriter.lines(
      of: library.subscriptions,
      in: store,
      at: context.clock,
      hasPasswords: hasPasswords,
    )
    lines.forEach(context.output.printLine)
    return .done
  }

  /// Returns the folder of `--markdown`; nil without it.
  private func folder() throws -> String? {
    let operands = context.arguments.operands
    guard context.arguments.has(Self.markdown.name) else {
      guard operands.isEmpty else {
        throw usage("export takes no operands; it prints: news export > FILE")
      }
      return nil
    }
    guard operands.count == 1, !operands[0].isEmpty,
      let path = LocalPath.absolute(operands[0], in: context.environment.currentFolder())
    else { throw usage("--markdown needs one folder: news export --markdown DIR") }
    return path
  }

  private var hasPasswords: Bool { context.arguments.has("with-passwords") }

  private func sayWhatIsSecret(_ feeds: [Subscription]) {
    let count = feeds.count { WebURL.withoutPassword($0.url) != $0.url }
    guard count > 0 else { return }
    let whose = Count.of(count, "feed has a password", "feeds have passwords")
    let them = count == 1 ? "it" : "them"
    context.complain(
      hasPasswords
        ? "\(whose) in the URL, and this file has \(them) too"
        : "\(whose) in the URL, left out with the user; --with-passwords exports \(them)"
    )
  }

  /// Tells of commands left out: no other reader could use them, and none should run them unasked.
  private func sayWhatIsLeftOut(_ feeds: [Subscription]) {
    for feed in feeds where CommandURL.command(of: feed.url) != nil {
      context.complain("\(FeedName.printable(feed)): what a command prints is left out of OPML")
    }
    for feed in feeds where feed.filter != nil && CommandURL.command(of: feed.url) == nil {
      context.complain("\(FeedName.printable(feed)): its filter is left out of OPML")
    }
  }

  private func checkNothingIsChosen() throws {
    if let option = StoryQuery.options.first(where: { context.arguments.has($0.key) }) {
      throw usage("\(option.spelling) chooses stories, which go with --json")
    }
  }
}

extension OPMLWriter {
  /// Returns the feeds of a home as OPML, without those that a command prints, and saved pages.
  static func lines(
    of feeds: [Subscription],
    in store: LibraryStore,
    at clock: WallClock,
    hasPasswords: Bool = false,
  ) throws -> [String] {
    let feeds =
      feeds
      .filter { CommandURL.command(of: $0.url) == nil && !$0.isOfSavedPages }
      .map { hasPasswords ? $0 : $0.withoutPassword }
    let date = MailDate.text(Int(clamping: clock.now()))
    return OPMLWriter(created: date, hasPasswords: hasPasswords)
      .lines(feeds, try store.readOutlines())
  }
}
