import FeedModel
import FeedStorage

/// `news` alone: what to do next in this home.
enum Welcome {
  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    let library = try context.store().library()
    let output = context.output
    if context.isJSON {
      output.printLine(try json(library).description)
      return .done
    }
    if library.subscriptions.isEmpty {
      printFirstSteps(context)
    } else if library.items.count == 0 {
      output.printLine("\(feeds(library)), and no stories yet.\n")
      output.printLine("  news refresh    ask the feeds now")
    } else {
      try printUnread(library, context)
    }
    output.printLine("\n`news help` shows all commands.")
    return .done
  }

  private static func printFirstSteps(_ context: CommandContext) {
    context.output.printLine(
      """
      No subscriptions yet. Follow a feed, then ask it:

        news subscribe https://example.com/feed.xml
        news refresh

      Coming from another reader? `news import FILE` takes its OPML.
      """
    )
  }

  private static func json(_ library: Library) throws(CommandError) -> JSONValue {
    .object([
      JSONMember("feeds", .integer(library.subscriptions.count)),
      JSONMember("stories", .integer(library.items.count)),
      JSONMember("unread", .integer(try unread(library))),
    ])
  }

  private static func unread(_ library: Library) throws(CommandError) -> Int {
    var query = StoryQuery()
    query.isUnread = true
    return try StoryScan(items: library.items, query: query).positions(atMost: Int.max).count
  }

  private static func printUnread(
    _ library: Library,
    _ context: CommandContext,
  ) throws(CommandError) {
    let unread = try unread(library)
    let count = Count.of(unread, "unread story", "unread stories")
    context.output.printLine("\(count) in \(feeds(library)).\n")
    if unread == 0 {
      context.output.printLine("  news refresh    ask the feeds now")
      context.output.printLine("  news list       what was read before")
      return
    }
    context.output.printLine("  news list --unread    the list to read from")
    context.output.printLine("  news open 1           the link of its first story")
    context.output.printLine("  news refresh          ask the feeds now")
  }

  private static func feeds(_ library: Library) -> String {
    Count.of(library.subscriptions.count, "feed")
  }
}
