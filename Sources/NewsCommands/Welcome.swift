import FeedModel
import FeedStorage

/// `news` alone: what to do next in this home.
enum Welcome {
  static let json = JSONForm.object(
    "what is stored, and what to do next",
    [
      JSONKey("feeds", "subscriptions"),
      JSONKey("failing", "those of them whose last fetch failed, or that are gone"),
      JSONKey("stories", "stories that are stored"),
      JSONKey("unread", "those of them that are not read"),
      JSONKey("next", "the command to type next"),
    ],
  )

  /// Unread stories that are shown: the whole screen is no list.
  private static let shown = 10

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    let store = try context.store()
    let library = try store.library()
    var query = StoryQuery()
    query.isUnread = true
    let unread = try context.scan(library.items, for: query).positions(atMost: Int.max)
    let step = NextStep(library, unread: unread.count)
    if context.isJSON {
      context.output.printLine(json(library, unread.count, step).description)
      return .done
    }
    context.output.printLine(step.headline + "\n")
    if step == .read(unread.count, feeds: library.subscriptions.count) {
      try printHead(unread, library, query, store, context)
    }
    printSteps(step, failing: failing(library), context)
    return .done
  }

  /// The head of the list of unread stories; its numbers count from now on.
  private static func printHead(
    _ unread: [Int],
    _ library: Library,
    _ query: StoryQuery,
    _ store: LibraryStore,
    _ context: CommandContext,
  ) throws(CommandError) {
    let places = Array(unread.prefix(shown))
    let dates = StoryDates(.relative, clock: context.environment.clock)
    let listing = StoryListing(
      context: context,
      library: library,
      query: query,
      template: nil,
      dates: dates,
    )
    try listing.print(places) { ListingRecord.save($0, places: places, store, context) }
    context.output.printLine()
  }

  private static func printSteps(_ step: NextStep, failing: Int, _ context: CommandContext) {
    var steps = step.commands
    if failing > 0 {
      let subject = Count.of(failing, "feed does", "feeds do")
      steps.append(HelpExample("news doctor", "\(subject) not work: why, and what to do"))
    }
    steps.append(HelpExample("news help", "all commands"))
    let help = Help(columns: context.columns, style: context.style)
    context.output.print(help.rows(steps.map { ($0.words, $0.meaning) }))
  }

  private static func failing(_ library: Library) -> Int {
    library.subscriptions.count { $0.state.isGone || $0.state.lastOutcome == .failed }
  }

  private static func json(_ library: Library, _ unread: Int, _ step: NextStep) -> JSONValue {
    .object([
      JSONMember("feeds", .integer(library.subscriptions.count)),
      JSONMember("failing", .integer(failing(library))),
      JSONMember("stories", .integer(library.items.count)),
      JSONMember("unread", .integer(unread)),
      JSONMember("next", .text(step.commands.first?.words)),
    ])
  }
}
