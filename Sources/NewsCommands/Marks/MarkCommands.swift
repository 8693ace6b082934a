import FeedModel
import FeedStorage

/// A command that sets or takes back a mark.
protocol MarkCommand: Command {
  static var mark: ItemMarks { get }
  /// What was done, such as `marked read`.
  static var done: String { get }
}

extension MarkCommand {
  static var synopsis: String { "N…|--all [--feed FEED] [--since WHEN] …" }

  static var options: [CommandOption] {
    [CommandOption("all", help: "all stories, or those that the options below leave")]
      + StoryQuery.options
  }

  static var examples: [HelpExample] {
    [
      HelpExample("news \(name) 3", "story 3 of the last list"),
      HelpExample("news \(name) 1 3-7", "several, and ranges"),
      HelpExample("news \(name) --all", "all of them"),
      HelpExample(
        "news \(name) --all --feed reuters --until 1w",
        "of one feed, a week old or more",
      ),
    ]
  }

  static var notes: [String] {
    [
      "--all takes the same options as `news list`, which shows what they leave. `news undo` takes "
        + "the last marking back."
    ]
  }

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    try checkWords(context.arguments)
    let store = try context.store()
    let count = try set(store, context)
    context.say("\(Count.of(count, "story", "stories")) \(done)")
    return .done
  }

  /// Numbers say which stories, or `--all` does with options that narrow it; never both, and never
  /// such options alone: all that one of them leaves out would be marked by a slip.
  private static func checkWords(_ arguments: Arguments) throws(CommandError) {
    let filter = StoryQuery.options.first { arguments.has($0.key) }
    switch (arguments.operands.isEmpty, arguments.has("all"), filter) {
    case (false, true, _): throw usage("--all takes no numbers: news \(name) --all")
    case (false, false, let filter?):
      throw usage("\(filter.spelling) narrows --all, not numbers: leave out one of them")
    case (true, false, let filter?):
      throw usage("\(filter.spelling) narrows --all: news \(name) --all \(filter.spelling) …")
    case (true, false, nil): throw usage("say which stories: news \(name) 3")
    case (true, true, _), (false, false, nil): break
    }
  }

  private static func set(
    _ store: LibraryStore,
    _ context: CommandContext,
  ) throws(CommandError) -> Int {
    let marks = StoryMarks(store, command: name, context)
    guard context.arguments.has("all") else {
      let stories = try NumberedStories(try store.library(.names), of: store)
        .stories(context.arguments.operands, command: name)
      return try marks.set(mark, ids: stories.map(\.story.id))
    }
    return try marks.set(mark) { library in
      let query = try StoryQuery(context, command: name, subscriptions: library.subscriptions)
      return try context.scan(library.items, for: query).positions(atMost: .max)
    }
  }
}

/// `news read`: marks stories read.
enum ReadCommand: MarkCommand {
  static let name = "read"
  static let summary = "mark stories read"
  static let mark = ItemMarks(isRead: true)
  static let done = "marked read"
}

/// `news unread`: marks stories unread.
enum UnreadCommand: MarkCommand {
  static let name = "unread"
  static let summary = "mark stories unread"
  static let mark = ItemMarks(isRead: false)
  static let done = "marked unread"
}

/// `news star`: stars stories, which are then kept for ever.
enum StarCommand: MarkCommand {
  static let name = "star"
  static let summary = "star stories; they are never dropped"
  static let mark = ItemMarks(isStarred: true)
  static let done = "starred"
}

/// `news unstar`: takes stars back.
enum UnstarCommand: MarkCommand {
  static let name = "unstar"
  static let summary = "take the star from stories"
  static let mark = ItemMarks(isStarred: false)
  static let done = "unstarred"
}
