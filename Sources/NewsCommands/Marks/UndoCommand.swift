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
    HelpExample("news read --all && news undo", "make stories unread again"),
    HelpExample("news clear --read && news undo", "bring cleared stories back"),
    HelpExample("news undo --show", "show what would be undone"),
    HelpExample("news undo --json", "print what was undone as JSON"),
  ]
  static let options = [
    CommandOption("show", help: "show what would be undone, without changing anything")
  ]
  static let notes = [
    "Undoes the last of: `read`, `unread`, `star`, `unstar`, `tag`, `untag`, marks set by `open` and `show`, "
      + "the text chosen by `show --full`, `show --from` and `F` in `browse`, "
      + "`clear` in all its forms, `subscribe`, `unsubscribe`, `move`, `import`, and changes by "
      + "`rules`. One step is kept, until the next such change. Stories that a fetch has stored "
      + "since then stay. Undoing a `sync` also reverts the marks that it brought. What `fetch` "
      + "and `refresh` take from other machines and servers can only be undone where it changed "
      + "feeds or rules, so that marks from elsewhere do not replace the undo of your own "
      + "changes."
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
    guard let undone else { throw .failed("nothing to undo") }
    guard !words.isEmpty else {
      throw .failed(
        "nothing to undo: nothing is left of the last `news \(undone.command)`"
      )
    }
    if !context.isJSON {
      let line = words.joined(separator: ", ")
      context.say(isShown ? "would undo `news \(undone.command)`: \(line)" : line)
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
