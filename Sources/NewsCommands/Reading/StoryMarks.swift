import FeedModel
import FeedStorage

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
