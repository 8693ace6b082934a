import CommandLine
import FeedModel
import FeedStorage
import FeedSync
import FeedUpdating

struct UndoCommand: Command {
  static let name = "undo"
  static let summary = "undo the last change"
  static let synopsis = ""
  static let examples = [
    HelpExample("news read --all && news undo", "what was unread is unread again"),
    HelpExample("news clear --read && news undo", "the stories are back, in their places"),
    HelpExample("news undo --show", "what it would take back"),
    HelpExample("news undo --json", "what was taken back, for a program"),
  ]
  static let options = [
    CommandOption("show", help: "say what would be taken back, and change nothing")
  ]
  static let notes = [
    "Takes back `read`, `unread`, `star`, `unstar`, the reading of `open` and `show`, `clear` in all its forms, "
      + "`subscribe`, `unsubscribe`, `move`, `import` and what `rules` changes: one step, kept until the next of them. "
      + "What a fetch has stored since stays. "
      + "A `sync` by hand is taken back with the marks that it brought; what `fetch` and `refresh` take from other "
      + "machines and servers only where feeds or rules are changed by it, so that marks from elsewhere do not "
      + "end the undo of what you did here."
  ]

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("undo takes no operands") }
    let undone = try undo(try context.store())
    let words = undone?.words ?? []
    if context.isJSON {
      let value = PrintedJSON.object([
        ("undone", words.isEmpty ? .null : .text(undone?.command)),
        ("stories", .integer(undone?.stories ?? 0)),
        ("feeds", .integer(undone?.undo.feeds.count ?? 0)),
      ])
      context.output.printLine(value.description)
    }
    guard let undone else { throw .failed("there is nothing to undo") }
    guard !words.isEmpty else {
      throw .failed(
        "there is nothing to undo: nothing is left of the last `news \(undone.command)`"
      )
    }
    if !context.isJSON {
      let line = words.joined(separator: ", ")
      context.say(isShown ? "would take back `news \(undone.command)`: \(line)" : line)
    }
    return .done
  }

  private var isShown: Bool { context.arguments.has("show") }

  /// Takes back what the last change did, and nothing that came since; nil where there
  /// is nothing to take back.
  private func undo(_ store: LibraryStore) throws(CommandError) -> UndoReport? {
    try store.change { library throws(CommandError) in
      guard let (change, report) = try commandErrors({ try takenBack(store, library) }) else {
        return (LibraryChange(), nil)
      }
      return (isShown ? LibraryChange() : change, report)
    }
  }

  private func takenBack(
    _ store: LibraryStore,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, UndoReport)? {
    guard let record = try store.undoRecord() else { return nil }
    var library = library
    var (back, gone) = ([StoryRule](), [StoryRule]())
    if let rules = record.rules {
      let present = try store.rules()
      back = rules.filter { !present.contains($0) }
      gone = present.filter { !rules.contains($0) }
      let change = library.change(rules: rules, without: gone)
      library.subscriptions = change.subscriptions ?? library.subscriptions
    }
    let undo = try LibraryUndo(of: record, in: library, now: context.clock.date)
    var change = undo.change
    change.made = context.clock.date
    return (change, UndoReport(record: record, undo: undo, rulesBack: back, rulesGone: gone))
  }
}
