import FeedModel
import FeedStorage

struct BrowseCommand: Command {
  static let name = "browse"
  static let summary = "the table view: feeds, stories and texts, by keys"
  static let synopsis = "[FEED|--unread|--starred]"
  static let examples = [
    HelpExample("news browse", "all stories, newest first; ? shows the keys"),
    HelpExample("news browse --unread", "begin with what is not read"),
    HelpExample("news browse tag:work", "begin with the feeds of a tag"),
  ]
  static let options = [
    CommandOption("unread", help: "begin with the stories that are not read"),
    CommandOption("starred", help: "begin with the stories with a star"),
  ]
  static let notes =
    [
      "The list follows what a background fetch stores, and what is being read stays where it is. A window of "
        + "113 columns has feeds and stories side by side, one of 156 the text, too."
    ] + BrowserHelp.keys.map { "\($0.keys): \($0.meaning)" }

  static let isLook = true

  static let noTerminal = CommandError.failed(
    "browse needs a terminal; `news list` prints the stories"
  )

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    let terminal = context.environment.terminal
    guard terminal.isInputTerminal, terminal.isOutputTerminal,
      context.environment.variable("TERM") != "dumb"
    else { throw Self.noTerminal }
    let store = try context.store()
    let session = try BrowserSession(context, store: store, source: try source(store))
    guard let signal = try session.run() else { return .done }
    return .interrupted(by: signal)
  }

  /// The words of the source to begin with.
  private func source(_ store: LibraryStore) throws(CommandError) -> [String] {
    let views = ["unread", "starred"].filter(context.arguments.has).map { "--\($0)" }
    let feeds = context.arguments.operands
    guard views.count + feeds.count < 2 else {
      throw usage("browse begins with one thing: a feed, a tag, --unread or --starred")
    }
    guard let feed = feeds.first else { return views }
    if feed.hasPrefix("tag:") { return ["--feed", feed] }
    let subscriptions = try store.library(.names).subscriptions
    return ["--feed", try context.selector(subscriptions).subscription(feed).url]
  }
}
