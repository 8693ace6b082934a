import FeedModel
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Puts the stories of one table among those of another: each once, newest first.
struct TableMerge {
  let base: ItemTable
  private let other: ItemTable
  private let now: Date
  private var merge: ItemMerge<ItemTable>
  /// For stories of the other table, the place of the same one in the base.
  private var partners: [Int: Int] = [:]
  /// For stories of the other table, the place in the base of the story that they followed.
  private var anchors: [Int: Int] = [:]
  /// The stories that are added, by their number among the insertions, with what else they held.
  private var inserted: [Int: (story: StoredItem, unknown: UnknownFields)] = [:]

  init(into base: ItemTable, of other: ItemTable, now: Date) {
    self.base = base
    self.other = other
    self.now = now
    merge = ItemMerge(base, now: now)
  }

  func partner(of position: Int) -> Int? { partners[position] }

  /// The places in the base of stories that the other table has too.
  var shared: Set<Int> { Set(partners.values) }

  // MARK: Finding

  /// Finds the stories that are in both tables by their ids.
  mutating func findByID() throws(StorageError) {
    var byID: [String: Int] = [:]
    byID.reserveCapacity(other.count)
    for position in 0..<other.count { byID[try other.id(at: position)] = position }
    for position in try base.positions(of: ItemIDs(byID.keys)) {
      if let story = byID[try base.id(at: position)] { partners[story] = position }
    }
  }

  /// Finds stories that have another id: a feed that has moved, or has renamed its stories before
  /// they were cleared, gives them new ones when they come back.
  ///
  /// - Parameter isSame: whether two stories of one identity are one, though their ids differ.
  /// - Throws: when a table cannot be read.
  mutating func findRenamed(
    isSame: (_ base: StoredItem, _ other: StoredItem) -> Bool
  ) throws(StorageError) {
    var open: [ItemKey: (position: Int, story: StoredItem)] = [:]
    var wanted = WantedStories()
    for position in 0..<other.count where partners[position] == nil {
      let story = try other.item(at: position)
      wanted.add(story.item)
      open[ItemID.key(of: story.item)] = (position, story)
    }
    guard !open.isEmpty, var scanner = ItemScanner(base) else { return }
    let taken = Set(partners.values)
    for position in 0..<base.count where !taken.contains(position) {
      try scanner.move(to: position)
      guard try wanted.mayBeOne(scanner) else { continue }
      let story = try base.item(at: position)
      let key = ItemID.key(of: story.item)
      guard let (other, same) = open[key], isSame(story, same) else { continue }
      partners[other] = position
      open[key] = nil
    }
  }

  /// Finds the stories that the runs of the other table followed.
  mutating func place(_ runs: [ClearedRun]) throws(StorageError) {
    var places: [String: Int] = [:]
    for position in try base.positions(of: ItemIDs(runs.compactMap(\.after))) {
      places[try base.id(at: position)] = position
    }
    var start = 0
    for run in runs {
      let end = min(start + run.count, other.count)
      if let place = run.after.flatMap({ places[$0] }) {
        for position in start..<end { anchors[position] = place }
      }
      start = end
    }
  }

  // MARK: Changing

  mutating func change(
    _ position: Int,
    _ body: (inout StoredItem) -> Void,
  ) throws(StorageError) {
    let old = try merge.current(position)
    var new = old
    body(&new)
    if new != old { merge.changed[position] = new }
  }

  /// Changes the partner of one of the other table's stories.
  mutating func combine(
    _ story: Int,
    _ body: (inout StoredItem) -> Void,
  ) throws(StorageError) {
    if let position = partners[story] { try change(position, body) }
  }

  mutating func remove(_ position: Int) {
    merge.changed[position] = nil
    merge.removed.insert(position)
  }

  /// Adds one of the other table's stories.
  mutating func insert(_ story: StoredItem, from position: Int) throws(StorageError) {
    let instant = StoryTime.place(date: story.item.date, stored: story.stored, now: now)
    var anchor = -1
    if let place = anchors[position], try merge.storedInstant(place) == instant { anchor = place }
    merge.sequence += 1
    let placement = Placement(instant: instant, anchor: anchor, sequence: merge.sequence)
    inserted[merge.insertions.count] = (story, try other.unknownFields(at: position))
    // It is in no delivery: its number alone counts.
    merge.insertions.all.append(
      Insertion(
        delivery: -1,
        story: position,
        id: 0,
        feeds: story.feeds,
        isRead: story.isRead,
        placement: placement,
      )
    )
  }

  /// The order of all stories as edits of the base; nil when nothing has changed.
  func edits() throws(StorageError) -> [ItemEdit]? {
    try merge.edits()?.map { edit in
      guard case .insertNumber(let number) = edit, let (story, fields) = inserted[number] else {
        return edit
      }
      return fields.isEmpty ? .insert(story) : .restore(story, fields)
    }
  }
}
