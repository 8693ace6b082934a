import FeedModel
import FeedStorage

struct StoryMarks {
  let store: LibraryStore
  private let context: CommandContext

  init(_ store: LibraryStore, _ context: CommandContext) {
    self.store = store
    self.context = context
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
  func set(_ marks: ItemMarks, choose: (Library) throws -> [Int]) throws(CommandError) -> Int {
    try store.change { library throws(CommandError) in
      let marked = try reading { try Self.unmarked(marks, choose(library), library.items) }
      var change = LibraryChange()
      guard !marked.isEmpty else { return (change, 0) }
      change.items = Self.edits(marks, marked, library.items)
      var record = UndoRecord(command: context.command ?? "", date: context.clock.date)
      let ids = try reading { try library.items.ids(at: marked) }
      record.marked = MarkedStories(marks: marks, ids: ids)
      change.undo = .record(record, clearing: [])
      return (change, marked.count)
    }
  }

  static func unmarked(
    _ marks: ItemMarks,
    _ positions: [Int],
    _ items: ItemTable,
  ) throws(StorageError) -> [Int] {
    var found: [Int] = []
    guard var scanner = ItemReader(items) else { return found }
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
    return edits.items(of: items)
  }
}

extension ItemMarks {
  fileprivate func have(_ other: ItemMarks) -> Bool {
    (other.isRead == nil || other.isRead == isRead)
      && (other.isStarred == nil || other.isStarred == isStarred)
  }

  var reversed: ItemMarks {
    ItemMarks(isRead: isRead.map { !$0 }, isStarred: isStarred.map { !$0 })
  }
}

/// Builds the new order of the data file from changes in ascending order.
struct ItemEdits {
  private var edits: [ItemEdit] = []
  private var next = 0

  /// No story was changed or left out yet.
  private(set) var isEmpty = true

  mutating func replace(_ index: Int, with story: StoredItem) {
    pass(index)
    edits.append(.replace(index, story))
  }

  mutating func mark(_ index: Int, _ marks: ItemMarks) {
    pass(index)
    if case .mark(let run, marks)? = edits.last, run.upperBound == index {
      edits[edits.count - 1] = .mark(run.lowerBound..<index + 1, marks)
    } else {
      edits.append(.mark(index..<index + 1, marks))
    }
  }

  mutating func remove(_ index: Int) {
    pass(index)
  }

  /// All edits of a table, whose further stories stay as they are.
  consuming func items(of table: ItemTable) -> [ItemEdit] {
    if table.count > next { edits.append(.keep(next..<table.count)) }
    return edits
  }

  private mutating func pass(_ index: Int) {
    if index > next { edits.append(.keep(next..<index)) }
    (next, isEmpty) = (index + 1, false)
  }
}
