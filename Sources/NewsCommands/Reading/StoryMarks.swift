import FeedModel
import FeedStorage

/// What a mark command sets.
enum StoryMark: Hashable, Sendable {
  case read(Bool)
  case starred(Bool)

  /// The story with the mark; nil when it has it already.
  func applied(to story: StoredItem) -> StoredItem? {
    var changed = story
    switch self {
    case .read(let value): changed.isRead = value
    case .starred(let value): changed.isStarred = value
    }
    return changed == story ? nil : changed
  }

  /// Whether a story has the mark already, by what is cheap to ask.
  func isSet(_ items: ItemTable, _ index: Int) throws(StorageError) -> Bool {
    switch self {
    case .read(let value): try items.isRead(at: index) == value
    case .starred(let value): try items.isStarred(at: index) == value
    }
  }
}

/// Sets marks in the data file.
enum StoryMarks {
  /// Marks stories, however they have moved meanwhile; nil marks all.
  ///
  /// - Returns: how many were changed.
  static func set(
    _ mark: StoryMark,
    ids: Set<String>?,
    _ store: LibraryStore,
  ) throws(CommandError) -> Int {
    try store.change { library throws(CommandError) in
      do throws(StorageError) {
        let edits = try edits(mark, ids, library.items)
        return (LibraryChange(items: edits.isEmpty ? nil : edits.items), edits.count)
      } catch {
        throw .failed("\(error)")
      }
    }
  }

  private static func edits(
    _ mark: StoryMark,
    _ ids: Set<String>?,
    _ items: ItemTable,
  ) throws(StorageError) -> ItemEdits {
    var edits = ItemEdits()
    var rest = ids?.count ?? items.count
    for index in 0..<items.count where rest > 0 {
      if let ids {
        guard ids.contains(try items.id(at: index)) else { continue }
        rest -= 1
      }
      if try mark.isSet(items, index) { continue }
      guard let changed = mark.applied(to: try items.item(at: index)) else { continue }
      edits.replace(index, with: changed)
    }
    edits.finish(count: items.count)
    return edits
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

  mutating func remove(_ index: Int) {
    keep(until: index)
    next = index + 1
    count += 1
  }

  /// Keeps what is left.
  mutating func finish(count: Int) {
    keep(until: count)
  }

  private mutating func keep(until index: Int) {
    if index > next { items.append(.keep(next..<index)) }
  }
}
