import CommandLine
import FeedModel
import FeedStorage

struct BrowseCommand: Command {
  static let name = "browse"
  static let summary = "read in a full-screen view of feeds, stories and text"
  static let synopsis = "[--feed FEED] [--unread] [--starred] [--grep TEXT] …"
  static let examples = [
    HelpExample("news browse", "all stories, newest first; ? shows the keys"),
    HelpExample("news browse --unread", "begin with what is not read"),
    HelpExample("news browse --feed tag:work", "begin with the feeds of a tag"),
  ]
  static let options = StoryQuery.options
  static let notes =
    [
      "The list follows what a background fetch stores, and what is being read stays where it is. A window of "
        + "113 columns has feeds and stories side by side, one of 156 the text, too. "
        + "♪ stands before the title of a story that carries sound or video."
    ] + BrowserHelp.keys.map { "\($0.keys): \($0.meaning)" }

  static let isLook = true

  static let noTerminal = CommandError.failed(
    "browse needs a terminal; `news list` prints the stories"
  )

  let context: CommandContext

  var permissions: Permissions? {
    var permissions = context.permissionsToAsk()
    permissions.commands += context.browserCommands + [TerminalScreen.guardian]
    return permissions
  }

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("browse takes options only; for a feed: news browse --feed FEED")
    }
    let terminal = context.environment.terminal
    guard terminal.isInputTerminal, terminal.isOutputTerminal,
      context.environment.variable("TERM") != "dumb"
    else { throw Self.noTerminal }
    let session = try BrowserSession(context, { try StoryQuery(context, $0) }, words)
    return session.run().map(ExitStatus.interrupted) ?? .done
  }

  /// The options that say which stories, as they were given.
  private var words: [String] {
    StoryQuery.options.flatMap { option in
      let name = "--\(option.name)"
      let values = context.arguments.values(option.name)
      return option.value == nil
        ? (context.arguments.has(option.name) ? [name] : []) : values.flatMap { [name, $0] }
    }
  }
}
