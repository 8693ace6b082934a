import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

struct Welcome {
  let context: CommandContext
  let library: Library
  /// Positions of the unread stories in the data file.
  let unread: [Int]

  static let json = JSONForm.object("what is stored, and what to do next", fields)

  private static let fields: [JSONField<Welcome>] = [
    JSONField("feeds", "subscriptions") { .integer($0.library.subscriptions.count) },
    JSONField("failing", "those of them whose last fetch failed, or that are gone") {
      .integer($0.failing)
    },
    JSONField("stories", "stories that are stored") { .integer($0.library.items.count) },
    JSONField("unread", "those of them that are not read") { .integer($0.unread.count) },
    JSONField("next", "the command to type next") { .text($0.step.commands.first?.words) },
  ]

  /// The number of unread stories shown: the screen has to show the next steps as well.
  private static let shown = 10

  private static var query: StoryQuery {
    var query = StoryQuery()
    query.isUnread = true
    return query
  }

  static func run(_ context: CommandContext) throws -> ExitStatus {
    let store = try context.store()
    let library = try store.read()
    let unread = try context.positions(of: query, in: library)
    try Welcome(context: context, library: library, unread: unread).print(store)
    return .done
  }

  private func print(_ store: LibraryStore) throws {
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(Self.fields, self).description)
    } else {
      context.output.printLine(step.headline + "\n")
      if !unread.isEmpty { try printHead(store) }
      printSteps()
    }
  }

  /// Prints the head of the list of unread stories; its numbers count from now on.
  private func printHead(_ store: LibraryStore) throws {
    let positions = Array(unread.prefix(Self.shown))
    let dates = StoryDates(.relative, clock: context.clock)
    let listing = StoryListing(library, Self.query, dates, nil, context)
    try listing.print(positions) { context.record($0, in: store) }
    context.output.printLine()
  }

  private func printSteps() {
    var steps = step.commands
    if failing > 0 {
      let subject = Count.of(failing, "feed does", "feeds do")
      steps.append(HelpExample("news doctor", "\(subject) not work: why, and what to do"))
    }
    steps.append(HelpExample("news help", "all commands"))
    let help = Help(.news, columns: context.columns, style: context.style)
    context.output.print(help.rows(steps.map { ($0.words, $0.meaning) }))
  }

  private var step: NextStep { NextStep(library, unread: unread.count) }

  private var failing: Int {
    library.subscriptions.count(where: \.state.isFailing)
  }
}

struct NextStep {
  let headline: String
  let commands: [HelpExample]

  init(_ library: Library, unread: Int) {
    let count = library.subscriptions.count
    let feeds = Count.of(count, "feed")
    let refresh = HelpExample("news refresh", "ask the feeds now")
    if unread > 0 {
      headline = "\(Count.of(unread, "unread story", "unread stories")) in \(feeds)."
      commands = [
        HelpExample("news browse", "read them, by keys"),
        HelpExample("news open 1", "the link of the first, and mark it read"),
        HelpExample("news show 1", "read it"),
        HelpExample("news list --unread", "all that is not read"),
        refresh,
      ]
    } else if library.items.count > 0 {
      headline = "Everything is read, in \(feeds)."
      commands = [refresh, HelpExample("news list", "what was read before")]
    } else if count == 0 {
      headline = "No subscriptions yet. Follow a feed, then ask for its stories."
      commands = [
        HelpExample("news subscribe example.com", "the feed of a web page, or a feed's own URL"),
        refresh,
        HelpExample("news import FILE", "the feeds of another reader (OPML)"),
      ]
    } else if library.subscriptions.contains(where: { $0.state.lastAsked != nil }) {
      headline = "\(feeds), and no stories yet."
      commands = [refresh, HelpExample("news feeds", "how each of them is")]
    } else {
      headline = "\(feeds), and nobody has asked \(count == 1 ? "it" : "them") yet."
      commands = [refresh, HelpExample("news feeds", "which feeds they are")]
    }
  }
}
