import FeedModel
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sets marks in the data file.
struct StoryMarks {
  let store: LibraryStore
  /// The command that sets them, for `news undo`.
  let command: String
  let now: Date

  init(_ store: LibraryStore, command: String, _ context: CommandContext) {
    self.store = store
    self.command = command
    now = context.environment.clock.date
  }

  /// Marks stories, however they have moved since their ids were read.
  ///
  /// - Returns: how many were changed.
  func set(_ mark: StoryMark, ids: [String]) throws(CommandError) -> Int {
    let ids = ItemIDs(ids)
    return try set(mark) { library throws(CommandError) in
      do { return try library.items.positions(of: ids) } catch { throw .failed("\(error)") }
    }
  }

  /// Marks stories that are chosen when nobody else can write; gives how many were changed.
  ///
  /// `choose` gives places in the data file, in ascending order.
  func set(
    _ mark: StoryMark,
    choose: (Library) throws(CommandError) -> [Int],
  ) throws(CommandError) -> Int {
    try store.change { library throws(CommandError) in
      let positions = try choose(library)
      do throws(StorageError) {
        let marked = try Self.unmarked(mark.change, positions, library.items)
        var change = LibraryChange()
        guard !marked.isEmpty else { return (change, 0) }
        change.items = Self.edits(mark.change, marked, library.items)
        var record = UndoRecord(command: command, date: now)
        let ids = try library.items.ids(at: marked)
        record.marked = MarkedStories(marks: mark.change, ids: ids)
        change.undo = .record(record, clearing: [])
        return (change, marked.count)
      } catch {
        throw .failed("\(error)")
      }
    }
  }

  /// Those of some stories that do not have these marks.
  static func unmarked(
    _ marks: ItemMarks,
    _ positions: [Int],
    _ items: ItemTable,
  ) throws(StorageError) -> [Int] {
    var found: [Int] = []
    guard var scanner = ItemScanner(items) else { return found }
    for position in positions {
      try scanner.move(to: position)
      if try !scanner.marks().have(marks) { found.append(position) }
    }
    return found
  }

  /// All stories, those at some places with other marks.
  static func edits(_ marks: ItemMarks, _ positions: [Int], _ items: ItemTable) -> [ItemEdit] {
    var edits = ItemEdits()
    for position in positions { edits.mark(position, marks) }
    edits.finish(count: items.count)
    return edits.items
  }
}

extension ItemMarks {
  /// Whether every mark that the other says is so here.
  fileprivate func have(_ other: ItemMarks) -> Bool {
    (other.isRead == nil || other.isRead == isRead)
      && (other.isStarred == nil || other.isStarred == isStarred)
  }

  /// What takes these marks from a story that did not have them.
  var reversed: ItemMarks {
    ItemMarks(isRead: isRead.map { !$0 }, isStarred: isStarred.map { !$0 })
  }
}
