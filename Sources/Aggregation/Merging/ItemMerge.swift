import FeedModel
package import FeedStorage
package import System

/// What is stored, and what is to become of it: takes in what feeds deliver, and gives the edits.
///
/// A feed never changes another feed's stories: all it can do to a story that another one brought
/// is to add itself to `feeds`. The work is linear in what was delivered and, only when something
/// is to be changed, in the number of stored stories.
package struct ItemMerge<Table: StoryTable> {
  let table: Table
  let now: Date
  /// Stored stories as they are to be, by position in the table.
  var changed: [Int: StoredItem] = [:]
  /// Where changed stories go whose date has changed.
  var placements: [Int: Placement] = [:]
  var removed: Set<Int> = []
  /// The stories to be added.
  package internal(set) var insertions: Insertions
  var sequence = 0
  /// As of when stored stories count, in seconds since 2001, as far as it is known: not a number
  /// where it is not; empty before anything is delivered.
  var instants: [Double] = []

  /// - Parameters:
  ///   - table: the stored stories.
  ///   - now: when new stories are stored.
  package init(_ table: Table, now: Date) {
    self.table = table
    self.now = now
    insertions = Insertions(now: now)
  }

  /// A stored story as it is after what was done so far.
  func current(_ position: Int) throws(StorageError) -> StoredItem {
    if let item = changed[position] { return item }
    return try table.item(at: position)
  }

  /// The order of all stories as edits of the stored ones, new ones by their number in `insertions`;
  /// nil when nothing has changed.
  package func edits() throws(StorageError) -> [ItemEdit]? {
    guard !changed.isEmpty || !removed.isEmpty || insertions.count > 0 else { return nil }
    var order = ItemOrder(count: table.count, changed: changed, removed: removed)
    if insertions.count > 0 || !placements.isEmpty {
      order.place(try storedInstants(), insertions: insertions.all, placements: placements)
    }
    return order.edits()
  }

  /// As of when each stored story counts; that of a changed one is its old one.
  private func storedInstants() throws(StorageError) -> [Double] {
    guard var scanner = table.scanner() else { return [] }
    var instants = instants.isEmpty ? Array(repeating: .nan, count: table.count) : instants
    for position in instants.indices where instants[position].isNaN {
      try scanner.move(to: position)
      instants[position] = try scanner.instant(now: now)
    }
    return instants
  }

  /// As of when a stored story counted before this merge.
  func storedInstant(_ position: Int) throws(StorageError) -> Date {
    if !instants.isEmpty, !instants[position].isNaN {
      return Date(timeIntervalSinceReferenceDate: instants[position])
    }
    let date = try table.date(at: position)
    if let date, date <= now { return date }
    return StoryTime.place(date: date, stored: try table.stored(at: position), now: now)
  }
}
