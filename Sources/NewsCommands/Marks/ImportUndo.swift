import FeedModel
import FeedStorage

/// Takes an import of stories back: those that it added go, whatever has become of them, others lose
/// the marks that it gave them, and feeds that it followed go with the stories that they brought.
struct ImportUndo {
  private(set) var removed = 0
  /// How many stories lost each of the record's marks.
  private(set) var unmarked: [Int]
  /// Feeds here that lose stories which they may still carry.
  private(set) var losing: Set<String> = []
  private(set) var edits: [ItemEdit] = []
  /// Those of the stories that go which the import had marked.
  private(set) var unbrought: [Int] = []

  init(
    of record: UndoRecord,
    unfollowing gone: Set<String>,
    in library: Library,
  ) throws(StorageError) {
    unmarked = record.marked.map { _ in 0 }
    var edits = ItemEdits()
    let items = library.items
    guard var reader = ItemReader(items) else { return }
    for position in 0..<items.count {
      try reader.move(to: position)
      let (id, feeds) = (try reader.id(), try reader.feedURLs())
      let rest = feeds.filter { !gone.contains($0) }
      let isStarred = try reader.isStarred()
      let isOrphan = rest.isEmpty && !feeds.isEmpty && !isStarred
      if isOrphan || record.added?.contains(id) == true {
        edits.remove(position)
        removed += 1
        if record.added?.contains(id) == true { unbrought.append(position) }
        losing.formUnion(rest)
        continue
      }
      var change = ItemAdjustment(feeds: rest.isEmpty || rest == feeds ? nil : rest)
      try unmark(id, reader, by: record, &change)
      if change != ItemAdjustment() { edits.change(position, to: .adjust(position, change)) }
    }
    self.edits = edits.all(of: items.count)
  }

  private mutating func unmark(
    _ id: String,
    _ reader: borrowing ItemReader,
    by record: UndoRecord,
    _ change: inout ItemAdjustment,
  ) throws(StorageError) {
    for (number, marked) in record.marked.enumerated() where marked.ids.contains(id) {
      change.marks.take(marked.marks.reversed)
      if let tag = marked.tag {
        let stored = try reader.strings(.tags)
        change.tags = (change.tags ?? stored).filter { $0 != tag }
      }
      unmarked[number] += 1
    }
  }
}
