import Aggregation
import FeedModel
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `news undo`: takes back the last marking or clearing.
enum UndoCommand: Command {
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

  static func run(_ context: CommandContext) throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else { throw usage("undo takes no operands") }
    let undoing = Undoing(store: try context.store(), now: context.environment.clock.date)
    let result = try undoing.run()
    let isDone = (result?.count ?? 0) > 0
    if context.isJSON {
      let value = JSONValue.object([
        JSONMember("undone", isDone ? .text(result?.command) : .null),
        JSONMember("stories", .integer(result?.count ?? 0)),
      ])
      context.output.printLine(value.description)
    }
    guard let result else { throw .failed("there is nothing to undo") }
    guard isDone else {
      throw .failed(
        "there is nothing to undo: nothing is left of the last `news \(result.command)`"
      )
    }
    if !context.isJSON { context.say(result.words.joined(separator: ", ")) }
    return .done
  }
}

/// Takes back what the last marking or clearing did, and nothing that came since.
struct Undoing {
  let store: LibraryStore
  let now: Date

  /// What was taken back.
  struct Result: Hashable, Sendable {
    /// The command, such as `read`.
    let command: String
    /// Stories that are as they were before.
    var count = 0
    /// What there is to say of them, such as `are unread again`.
    var words: [String] = []
  }

  /// - Returns: nil when there is nothing to take back.
  func run() throws(CommandError) -> Result? {
    try store.change { library throws(CommandError) in
      guard let record = try reading({ try store.undoRecord() }) else {
        return (LibraryChange(), nil)
      }
      return try reading {
        try record.marked.map { try unmark($0, record, library) } ?? bringBack(record, library)
      }
    }
  }

  private func unmark(
    _ marked: MarkedStories,
    _ record: UndoRecord,
    _ library: Library,
  ) throws(StorageError) -> (LibraryChange, Result?) {
    let marks = marked.marks.reversed
    let positions = try StoryMarks.unmarked(
      marks,
      try library.items.positions(of: marked.ids),
      library.items,
    )
    var change = LibraryChange()
    change.undo = .forgotten
    var result = Result(command: record.command, count: positions.count)
    if !positions.isEmpty {
      change.items = StoryMarks.edits(marks, positions, library.items)
      result.words = [Self.words(marks, positions.count)]
    }
    return (change, result)
  }

  private static func words(_ marks: ItemMarks, _ count: Int) -> String {
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
  ) throws(StorageError) -> (LibraryChange, Result?) {
    let back = try StoryReturn(of: record, in: library, now: now)
    var result = Result(command: record.command)
    result.count = back.returned + back.wereBack + back.rejoined
    if back.returned > 0 {
      result.words.append(Count.of(back.returned, "story is back", "stories are back"))
    }
    if back.rejoined > 0 {
      let words = Count.of(back.rejoined, "story is", "stories are")
      result.words.append("\(words) of the feed again")
    }
    if back.wereBack > 0 {
      result.words.append(Count.of(back.wereBack, "story", "stories") + " had come back already")
    }
    return (back.change, result)
  }
}
