import FeedModel
import FeedStorage

/// A command that sets or takes back a mark.
protocol MarkCommand: Command {
  static var mark: StoryMark { get }
  /// What was done, such as `marked read`.
  static var done: String { get }
}

extension MarkCommand {
  static var synopsis: String { "N…|--all" }

  static var options: [CommandOption] {
    [CommandOption("all", help: "all stories")]
  }

  static var examples: [HelpExample] {
    [
      HelpExample("news \(name) 3", "story 3 of the last list"),
      HelpExample("news \(name) 1 3-7", "several, and ranges"),
      HelpExample("news \(name) --all", "all of them"),
    ]
  }

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    let isAll = context.arguments.has("all")
    guard words.isEmpty == isAll else {
      throw usage(
        isAll ? "--all takes no numbers: news \(name) --all" : "say which stories: news \(name) 3"
      )
    }
    let store = try context.store()
    var ids: Set<String>?
    if !isAll { ids = Set(try StoryFinder(context: context, store: store).find(name).map(\.id)) }
    let count = try StoryMarks.set(mark, ids: ids, store)
    context.say("\(Count.of(count, "story", "stories")) \(done)")
    return .done
  }
}

/// `news read`: marks stories read.
enum ReadCommand: MarkCommand {
  static let name = "read"
  static let summary = "mark stories read"
  static let mark = StoryMark.read(true)
  static let done = "marked read"
}

/// `news unread`: marks stories unread.
enum UnreadCommand: MarkCommand {
  static let name = "unread"
  static let summary = "mark stories unread"
  static let mark = StoryMark.read(false)
  static let done = "marked unread"
}

/// `news star`: stars stories, which are then kept for ever.
enum StarCommand: MarkCommand {
  static let name = "star"
  static let summary = "star stories; they are never dropped"
  static let mark = StoryMark.starred(true)
  static let done = "starred"
}

/// `news unstar`: takes stars back.
enum UnstarCommand: MarkCommand {
  static let name = "unstar"
  static let summary = "take the star from stories"
  static let mark = StoryMark.starred(false)
  static let done = "unstarred"
}
