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
  func set(_ marks: ItemMarks, ids: [String]) throws(CommandError) -> Int {
    let ids = ItemIDs(ids)
    return try set(marks) { try $0.items.positions(of: ids) }
  }

  /// Marks stories that are chosen when nobody else can write; gives how many were changed.
  ///
  /// `choose` gives places in the data file, in ascending order.
  func set(
    _ marks: ItemMarks,
    choose: (Library) throws -> [Int],
  ) throws(CommandError) -> Int {
    try store.change { library throws(CommandError) in
      let marked = try reading { try Self.unmarked(marks, choose(library), library.items) }
      var change = LibraryChange()
      guard !marked.isEmpty else { return (change, 0) }
      change.items = Self.edits(marks, marked, library.items)
      var record = UndoRecord(command: command, date: now)
      let ids = try reading { try library.items.ids(at: marked) }
      record.marked = MarkedStories(marks: marks, ids: ids)
      change.undo = .record(record, clearing: [])
      return (change, marked.count)
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
  /// A mark that the other does not say does not count.
  fileprivate func have(_ other: ItemMarks) -> Bool {
    (other.isRead == nil || other.isRead == isRead)
      && (other.isStarred == nil || other.isStarred == isStarred)
  }

  /// What takes these marks from a story that did not have them.
  var reversed: ItemMarks {
    ItemMarks(isRead: isRead.map { !$0 }, isStarred: isStarred.map { !$0 })
  }
}

/// Builds the new order of the data file from changes in ascending order.
struct ItemEdits {
  private(set) var items: [ItemEdit] = []
  /// Stories changed or left out.
  private(set) var count = 0
  private var next = 0

  var isEmpty: Bool { count == 0 }

  mutating func replace(_ index: Int, with story: StoredItem) {
    keep(until: index)
    items.append(.replace(index, story))
    next = index + 1
    count += 1
  }

  mutating func mark(_ index: Int, _ marks: ItemMarks) {
    keep(until: index)
    if case .mark(let run, marks)? = items.last, run.upperBound == index {
      items[items.count - 1] = .mark(run.lowerBound..<index + 1, marks)
    } else {
      items.append(.mark(index..<index + 1, marks))
    }
    next = index + 1
    count += 1
  }

  mutating func remove(_ index: Int) {
    keep(until: index)
    next = index + 1
    count += 1
  }

  mutating func finish(count: Int) {
    keep(until: count)
  }

  private mutating func keep(until index: Int) {
    if index > next { items.append(.keep(next..<index)) }
  }
}
