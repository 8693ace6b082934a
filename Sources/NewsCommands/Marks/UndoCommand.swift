import Aggregation
import FeedModel
import FeedStorage

struct UndoCommand: Command {
  static let name = "undo"
  static let summary = "take back the last marking or clearing"
  static let synopsis = ""
  static let examples = [
    HelpExample("news read --all && news undo", "what was unread is unread again"),
    HelpExample("news clear --read && news undo", "the stories are back, in their places"),
    HelpExample("news undo --json", "what was taken back, for a program"),
  ]
  static let notes = [
    "Takes back `read`, `unread`, `star`, `unstar`, the reading of `open`, and `clear` in all its "
      + "forms: one step, kept until the next of them. What a fetch has stored since stays."
  ]

  let context: CommandContext

  private struct Undone {
    /// Such as `read`.
    let command: String
    var count = 0
    /// What there is to say of them, such as `are unread again`.
    var words: [String] = []
  }

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("undo takes no operands") }
    let undone = try undo(try context.store())
    let count = undone?.count ?? 0
    if context.isJSON {
      let command = count > 0 ? PrintedJSON.text(undone?.command) : .null
      let value = PrintedJSON.object([("undone", command), ("stories", .integer(count))])
      context.output.printLine(value.description)
    }
    guard let undone else { throw .failed("there is nothing to undo") }
    guard count > 0 else {
      throw .failed(
        "there is nothing to undo: nothing is left of the last `news \(undone.command)`"
      )
    }
    if !context.isJSON { context.say(undone.words.joined(separator: ", ")) }
    return .done
  }

  /// Takes back what the last marking or clearing did, and nothing that came since; nil where there
  /// is nothing to take back.
  private func undo(_ store: LibraryStore) throws(CommandError) -> Undone? {
    try store.change { library throws(CommandError) in
      try commandErrors {
        guard let record = try store.undoRecord() else { return (LibraryChange(), nil) }
        return try record.marked.map { try unmark($0, record, library) }
          ?? bringBack(record, library)
      }
    }
  }

  private func unmark(
    _ marked: MarkedStories,
    _ record: UndoRecord,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    let marks = marked.marks.reversed
    let known = try library.items.positions(of: marked.ids)
    let positions = try StoryMarking.unmarked(marks, known, library.items)
    var change = LibraryChange()
    change.undo = .forgotten
    var undone = Undone(command: record.command, count: positions.count)
    if !positions.isEmpty {
      change.items = StoryMarking.edits(marks, positions, library.items)
      undone.words = [words(marks, positions.count)]
    }
    return (change, undone)
  }

  private func words(_ marks: ItemMarks, _ count: Int) -> String {
    let state =
      switch (marks.isRead, marks.isStarred) {
      case (true, _): "read again"
      case (false, _): "unread again"
      case (nil, true): "starred again"
      case (nil, _): "no longer starred"
      }
    return Count.of(count, "story is", "stories are") + " " + state
  }

  private func bringBack(
    _ record: UndoRecord,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Undone?) {
    let back = try ClearingUndo(of: record, in: library, now: context.clock.date)
    var undone = Undone(command: record.command)
    undone.count = back.returned + back.wereBack + back.rejoined
    if back.returned > 0 {
      undone.words.append(Count.of(back.returned, "story is back", "stories are back"))
    }
    if back.rejoined > 0 {
      let stories = Count.of(back.rejoined, "story is", "stories are")
      undone.words.append("\(stories) of the feed again")
    }
    if back.wereBack > 0 {
      let stories = Count.stories(back.wereBack)
      undone.words.append("\(stories) had come back already")
    }
    return (back.change, undone)
  }
}
