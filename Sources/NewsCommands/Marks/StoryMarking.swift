import FeedModel
import FeedStorage

/// Marks stories in the data file, and records how to undo that.
struct StoryMarking {
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
      let marked = try commandErrors { try Self.unmarked(marks, choose(library), library.items) }
      var change = LibraryChange()
      guard !marked.isEmpty else { return (change, 0) }
      change.items = Self.edits(marks, marked, library.items)
      var record = context.undoRecord
      let ids = try commandErrors { try library.items.ids(at: marked) }
      record.marked = MarkedStories(marks: marks, ids: ids)
      change.undo = .record(record, clearing: [])
      return (change, marked.count)
    }
  }

  /// Those of some places whose stories do not have the marks yet.
  static func unmarked(
    _ marks: ItemMarks,
    _ positions: [Int],
    _ items: ItemTable,
  ) throws(StorageError) -> [Int] {
    var found: [Int] = []
    guard var reader = ItemReader(items) else { return found }
    for position in positions {
      try reader.move(to: position)
      if try !reader.marks().have(marks) { found.append(position) }
    }
    return found
  }

  /// All stories, those at some places with other marks.
  static func edits(_ marks: ItemMarks, _ positions: [Int], _ items: ItemTable) -> [ItemEdit] {
    var edits = ItemEdits()
    for position in positions {
      edits.change(position, to: .mark(position..<position + 1, marks))
    }
    return edits.all(of: items.count)
  }
}

extension CommandContext {
  /// What `news undo` is to take back, before it is said what that is.
  var undoRecord: UndoRecord {
    UndoRecord(command: command ?? "", date: clock.date)
  }

  /// Marks stories read that were shown; they can be read where nothing can be written, so it only
  /// complains.
  func markRead(_ stories: [NamedStory], in store: LibraryStore) -> Bool {
    do throws(CommandError) {
      let marking = StoryMarking(store, self)
      _ = try marking.set(ItemMarks(isRead: true), ids: stories.map(\.story.id))
      return true
    } catch {
      complain("not marked read: \(error.lines.first ?? "")")
      return false
    }
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
