import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

protocol MarkingCommand: Command {
  /// The operands before the numbers, such as `TAG`.
  static var leading: [String] { get }
}

extension MarkingCommand {
  static var synopsis: String {
    (leading + ["N…|--all [--feed FEED] [--since WHEN] …"]).joined(separator: " ")
  }

  static var options: [CommandOption] {
    [CommandOption("all", help: "all stories that match the filters below")]
      + StoryQuery.options
  }

  static var marking: String { ([name] + leading).joined(separator: " ") }

  static var examples: [HelpExample] {
    [
      HelpExample("news \(marking) 3", "story 3 of the last list"),
      HelpExample("news \(marking) 1 3-7", "several stories and ranges"),
      HelpExample("news list | fzf -m | news \(marking) -", "those on standard input, one a line"),
      HelpExample("news \(marking) --all", "all stories"),
      HelpExample(
        "news \(marking) --all --feed reuters --until 1w",
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

  /// Throws unless either numbers or `--all` say which stories.
  ///
  /// Options that narrow a choice need `--all`: without it, one that is left out by a slip would
  /// mark all stories.
  func checkWords() throws {
    let arguments = context.arguments
    let (name, count) = (Self.marking, Self.leading.count)
    guard arguments.operands.count >= count else {
      throw usage("no tag and no stories given: news \(name) 3")
    }
    let filter = StoryQuery.options.first { arguments.has($0.key) }
    switch (arguments.operands.count == count, arguments.has("all"), filter) {
    case (false, true, _): throw usage("--all takes no numbers: news \(name) --all")
    case (false, false, let filter?):
      throw usage("\(filter.spelling) narrows --all, not numbers: leave out one of them")
    case (true, false, let filter?):
      throw usage("\(filter.spelling) narrows --all: news \(name) --all \(filter.spelling) …")
    case (true, false, nil): throw usage("no stories given: news \(name) 3")
    case (true, true, _), (false, false, nil): break
    }
  }

  /// Returns a choice that means the same stories, however they move before it is used.
  func chosen(in store: LibraryStore) throws -> (Library) throws -> [Int] {
    try context.chosenStories(behind: Self.leading.count, in: store)
  }

  /// Changes the stories that the words mean; returns how many changed.
  func change(_ edit: (inout MarkingEdits, [Int]) throws -> Void) throws -> Int {
    let store = try context.store()
    return try StoryMarking(store, context).change(choose: try chosen(in: store), edit)
  }
}

extension CommandContext {
  /// Returns what finds the stories that are named, or those that the filters choose.
  func chosenStories(
    behind count: Int,
    before end: Int = .max,
    in store: LibraryStore,
  ) throws -> (Library) throws -> [Int] {
    if arguments.has("all") { return { try positions(of: try StoryQuery(self, $0), in: $0) } }
    let numbered = try NumberedStories(self, try store.read(.names), in: store)
    let ids = ItemIDs(try numbered.stories(behind: count, before: end).map(\.story.id))
    return { try $0.items.positions(of: ids) }
  }
}

protocol MarkCommand: MarkingCommand {
  static var mark: ItemMarks { get }
  static var done: String { get }
}

extension MarkCommand {
  static var leading: [String] { [] }

  func run() throws -> ExitStatus {
    try checkWords()
    let count = try change { _ = try $0.set(Self.mark, at: $1) }
    context.say("\(Count.stories(count)) \(Self.done)")
    return .done
  }
}

struct ReadCommand: MarkCommand {
  let context: CommandContext

  static let name = "read"
  static let summary = "mark stories as read"
  static let mark: ItemMarks = [.read: true]
  static let done = "marked read"
}

struct UnreadCommand: MarkCommand {
  let context: CommandContext

  static let name = "unread"
  static let summary = "mark stories as unread"
  static let mark: ItemMarks = [.read: false]
  static let done = "marked unread"
}

struct StarCommand: MarkCommand {
  let context: CommandContext

  static let name = "star"
  static let summary = "star stories, to keep them"
  static let mark: ItemMarks = [.starred: true]
  static let done = "starred"
}

struct UnstarCommand: MarkCommand {
  let context: CommandContext

  static let name = "unstar"
  static let summary = "remove the star from stories"
  static let mark: ItemMarks = [.starred: false]
  static let done = "unstarred"
}
