import CommandLine
import FeedModel
import FeedStorage
import Searching

/// The four commands that set or take a mark: `read`, `unread`, `star`, `unstar`.
protocol MarkCommand: Command {
  static var mark: ItemMarks { get }
  static var done: String { get }
}

extension MarkCommand {
  static var synopsis: String { "N…|--all [--feed FEED] [--since WHEN] …" }

  static var options: [CommandOption] {
    [CommandOption("all", help: "all stories that match the filters below")]
      + StoryQuery.options
  }

  static var examples: [HelpExample] {
    [
      HelpExample("news \(name) 3", "story 3 of the last list"),
      HelpExample("news \(name) 1 3-7", "several stories and ranges"),
      HelpExample("news \(name) --all", "all stories"),
      HelpExample(
        "news \(name) --all --feed reuters --until 1w",
        "stories of one feed that are a week old or older",
      ),
    ]
  }

  static var notes: [String] {
    [
      "--all takes the same options as `news list`, which shows what they leave. `news undo` takes "
        + "the last marking back."
    ]
  }

  func run() throws(CommandError) -> ExitStatus {
    try checkWords()
    let count = try set()
    context.say("\(Count.stories(count)) \(Self.done)")
    return .done
  }

  /// Numbers say which stories, or `--all` does with options that narrow it; never both, and never
  /// such options alone: all that one of them leaves out would be marked by a slip.
  private func checkWords() throws(CommandError) {
    let arguments = context.arguments
    let name = Self.name
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

  private func set() throws(CommandError) -> Int {
    let store = try context.store()
    let marking = StoryMarking(store, context)
    guard context.arguments.has("all") else {
      let stories = try NumberedStories(context, try store.library(.names), in: store).stories()
      return try marking.set(Self.mark, ids: stories.map(\.story.id))
    }
    return try marking.set(Self.mark) { library in
      try context.positions(of: try StoryQuery(context, library), in: library)
    }
  }
}

struct ReadCommand: MarkCommand {
  let context: CommandContext

  static let name = "read"
  static let summary = "mark stories as read"
  static let mark = ItemMarks(isRead: true)
  static let done = "marked read"
}

struct UnreadCommand: MarkCommand {
  let context: CommandContext

  static let name = "unread"
  static let summary = "mark stories as unread"
  static let mark = ItemMarks(isRead: false)
  static let done = "marked unread"
}

struct StarCommand: MarkCommand {
  let context: CommandContext

  static let name = "star"
  static let summary = "star stories, to keep them"
  static let mark = ItemMarks(isStarred: true)
  static let done = "starred"
}

struct UnstarCommand: MarkCommand {
  let context: CommandContext

  static let name = "unstar"
  static let summary = "remove the star from stories"
  static let mark = ItemMarks(isStarred: false)
  static let done = "unstarred"
}
