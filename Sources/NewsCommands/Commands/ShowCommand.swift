import FeedModel
import FeedStorage

/// `news show`: everything known of a story.
enum ShowCommand: Command {
  static let name = "show"
  static let summary = "show all that is known of a story"
  static let synopsis = "N…"
  static let examples = [
    HelpExample("news show 3", "story 3 of the last list"),
    HelpExample("news show 3-5 --json", "three stories for a program"),
  ]

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard !context.arguments.operands.isEmpty else {
      throw usage("say which story: news show 3")
    }
    let store = try context.store()
    let stories = try StoryFinder(context: context, store: store).find(name)
    if context.isJSON {
      var array = JSONArrayPrinter(context.output)
      for story in stories { array.print(StoryJSON.value(story.number, story.story)) }
      array.finish()
      return .done
    }
    let card = StoryCard(
      names: FeedName(try store.library(.names).subscriptions),
      dates: RelativeDate(clock: context.environment.clock),
      style: context.style,
      columns: context.isOnTerminal ? context.columns : 80,
    )
    for (index, story) in stories.enumerated() {
      if index > 0 { context.output.printLine() }
      for line in card.lines(story.story) { context.output.printLine(line) }
    }
    return .done
  }
}
