import FeedModel
import FeedStorage

/// Sets marks in the data file.
enum StoryMarks {
  /// Marks stories, however they have moved since their ids were read.
  ///
  /// - Returns: how many were changed.
  static func set(
    _ mark: StoryMark,
    ids: [String],
    _ store: LibraryStore,
  ) throws(CommandError) -> Int {
    let ids = ItemIDs(ids)
    return try set(mark, store) { library throws(CommandError) in
      do { return try library.items.positions(of: ids) } catch { throw .failed("\(error)") }
    }
  }

  /// Marks those stories that `choose` takes of what is stored when nobody else can write.
  ///
  /// - Parameter choose: gives places in the data file, in ascending order.
  /// - Returns: how many were changed.
  static func set(
    _ mark: StoryMark,
    _ store: LibraryStore,
    choose: (Library) throws(CommandError) -> [Int],
  ) throws(CommandError) -> Int {
    try store.change { library throws(CommandError) in
      let positions = try choose(library)
      do throws(StorageError) {
        let edits = try edits(mark, positions, library.items)
        return (LibraryChange(items: edits.isEmpty ? nil : edits.items), edits.count)
      } catch {
        throw .failed("\(error)")
      }
    }
  }

  private static func edits(
    _ mark: StoryMark,
    _ positions: [Int],
    _ items: ItemTable,
  ) throws(StorageError) -> ItemEdits {
    var edits = ItemEdits()
    guard var scanner = ItemScanner(items) else { return edits }
    for index in positions {
      try scanner.move(to: index)
      if try !mark.isSet(in: scanner.marks()) { edits.mark(index, mark.change) }
    }
    edits.finish(count: items.count)
    return edits
  }
}
