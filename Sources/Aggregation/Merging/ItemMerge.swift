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
  var sequence: Int32 = 0
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
    var order = StoryOrder(count: table.count)
    for (position, item) in changed { order.change(position, to: .replace(position, item)) }
    for position in removed { order.remove(position) }
    for (position, placement) in placements { order.move(position, to: placement) }
    for (number, insertion) in insertions.all.enumerated() {
      order.place(.insertNumber(number), at: insertion.placement)
    }
    guard !order.isUnchanged else { return nil }
    return order.edits(
      order.needsInstants ? try table.instants(now: now, known: instants) : []
    )
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
