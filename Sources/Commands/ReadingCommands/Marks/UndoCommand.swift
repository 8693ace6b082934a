import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import System

struct UndoCommand: Command {
  static let name = "undo"
  static let summary = "undo the last change, or one of the last"
  static let synopsis = "[CHANGE] [--show|--ask] | --list"
  static let examples = [
    HelpExample("news read --all && news undo", "make stories unread again"),
    HelpExample("news undo && news undo", "undo the last two changes"),
    HelpExample("news undo --list", "the last changes, with their numbers"),
    HelpExample("news undo 3", "undo change 3, where no later one is about the same"),
    HelpExample("news undo --show", "show what would be undone"),
    HelpExample("news undo --json", "print what was undone as JSON"),
  ]
  static let options = [
    CommandOption("list", help: "list the last changes, newest first"),
    CommandOption("show", help: "show what would be undone, without changing anything"),
    CommandOption("ask", help: "ask before more than marks of stories is undone"),
  ]
  static let notes = [
    "Undoes the last change; again, the one before. Changes are: `read`, `unread`, `star`, `unstar`, "
      + "`tag`, `untag`, `note`, marks set by `open` and `show`, "
      + "the text chosen by `show --full`, `show --from` and `F` in `browse`, `delete`, "
      + "`clear` in all its forms, `subscribe`, `unsubscribe`, `move`, `feeds set`, `save`, `import`, "
      + "and changes by `rules`. The last 100 of yours are kept, and 100 of phones, other machines "
      + "and servers, each as far as they take 16 MiB, and 64 MiB of stories that went. "
      + "Stories that a fetch has stored since then stay. `news redo` takes an undo back.",
    "What a phone has changed, and what came from elsewhere, is undone by its number alone.",
    "An undo is told to other machines and servers as any change is. "
      + "Undoing what a `sync` has brought also reverts its marks. What `fetch` "
      + "and `refresh` take from other machines and servers can only be undone where it changed "
      + "feeds or rules, so that marks from elsewhere do not come between your own "
      + "changes.",
  ]
  static let json: JSONForm? = .object(
    "what was undone, or would be with --show",
    StepReversal.fields("undone"),
  )
  static let jsonWith = [
    (option: "list", form: JSONForm.array("the last changes, newest first", HistoryList.fields))
  ]

  static let exclusions = [["list", "show", "ask"]]

  /// Returns true for words behind the name that mean the last change.
  static func meansLast(_ words: some Sequence<String>) -> Bool {
    words.allSatisfy { $0 == "--ask" }
  }

  let context: CommandContext

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    if context.arguments.has("list") {
      guard words.isEmpty else { throw usage("--list cannot be used with other words") }
      try HistoryList(context: context).print()
      return .done
    }
    guard words.count <= 1 else { throw usage("undo takes one number: news undo 3") }
    let reversal = StepReversal(context: context, isBack: true)
    guard let word = words.first else { return try reversal.undo(nil) }
    guard let number = Int(word), number > 0 else {
      throw usage("\(Spelling.quoted(word)) is no number of `news undo --list`")
    }
    return try reversal.undo(number)
  }
}

struct RedoCommand: Command {
  static let name = "redo"
  static let summary = "do again what was undone last"
  static let synopsis = "[--show]"
  static let examples = [
    HelpExample("news undo && news redo", "change your mind"),
    HelpExample("news redo --show", "show what would be done again"),
  ]
  static let options = [
    CommandOption("show", help: "show what would be done, without changing anything")
  ]
  static let notes = [
    "Takes the last `news undo` back; again, the one before. A new change of yours ends it."
  ]
  static let json: JSONForm? = .object(
    "what was done again, or would be with --show",
    StepReversal.fields("redone"),
  )

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("redo takes no operands") }
    return try StepReversal(context: context, isBack: false).redo()
  }
}

private struct HistoryList {
  let context: CommandContext

  static let fields: [JSONField<HistoryStep>] = [
    .init("number", "by which `news undo` knows the change") { .integer($0.change) },
    .init("command", "that made it; of `feeds set` with what it set") { .text($0.origin.command) },
    .init("date", "when it was made, undone or made again") { .date($0.origin.date) },
    .init("undone", "whether it was undone") { .boolean($0.origin.isBack) },
    .init("by", "phone, or remote and names of machines and servers; null for you") {
      $0.origin.author == .user ? .null : .text($0.origin.author.name)
    },
  ]

  func print() throws {
    let store = try context.store()
    let changes = try store.history().changes.reversed()
    if context.isJSON { return context.output.printJSON(changes, Self.fields) }
    guard !changes.isEmpty else { return context.say("no changes yet") }
    guard context.isOnTerminal else {
      for change in changes {
        context.output.printFields(row(of: change, at: RFC3339.string(change.origin.date)))
      }
      return
    }
    let dates = RelativeDate(clock: context.clock)
    let rows = changes.map { row(of: $0, at: dates.exactText($0.origin.date.wholeSeconds)) }
    let table = context.table([
      .init("number"), .init("when", rank: 1), .init("change", shrinks: true), .init(""),
      .init("by", rank: 2),
    ])
    Pager(context).print(table.lines(rows).map { $0 + "\n" })
  }

  private func row(of change: HistoryStep, at date: String) -> [String] {
    [
      "\(change.change)", date, SafeText.line(change.origin.command),
      change.origin.isBack ? "undone" : "",
      SafeText.line(change.origin.author.name),
    ]
  }
}
