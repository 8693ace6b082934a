import FeedModel
package import FeedStorage
package import System

/// What is stored, and what is to become of it: takes in what feeds deliver, and gives the edits.
///
/// It takes three steps: `StoryRecognition` says which stories are known, `Retention` which are no
/// longer kept, `StoryOrder` where each stands.
///
/// A feed never changes another feed's stories: all it can do to a story that another one brought
/// is to add itself to `feeds`. The work is linear in what was delivered and, only when something
/// is to be changed, in the number of stored stories.
package struct ItemMerge {
  let table: ItemTable
  let now: Date
  /// Stored stories as they are to be, by position in the table.
  var changed: [Int: StoredItem] = [:]
  /// Where changed stories go whose date has changed.
  var placements: [Int: Placement] = [:]
  var removed: Set<Int> = []
  package internal(set) var insertions: Insertions
  var sequence: Int32 = 0
  /// As of when stored stories count, in seconds since 2001, as far as it is known: not a number
  /// where it is not; empty before anything is delivered.
  var instants: [Double] = []

  package init(_ table: ItemTable, now: Date) {
    self.table = table
    self.now = now
    insertions = Insertions(now: now)
  }

  /// Takes in what feeds delivered.
  ///
  /// The first delivery that brings a story owns it. To be called once with all deliveries of a
  /// run: the order of several decides only who owns what is new in several.
  ///
  /// - Parameters:
  ///   - deliveries: at most one of each feed.
  ///   - keep: stories kept of each feed that it no longer carries; 0 keeps all.
  /// - Returns: what was found out of each feed, in the order of the deliveries.
  /// - Throws: when the data file cannot be read.
  package mutating func deliver(
    _ deliveries: [FeedDelivery],
    keep: Int,
  ) throws(StorageError) -> [FeedFindings] {
    insertions.deliveries = deliveries
    let stored = try StoredPositions(deliveries, in: table, now: now)
    instants = stored.instants
    var feeds = deliveries.enumerated().map { number, delivery in
      MergedFeed(delivery, number: number, stored: stored.byDelivery[number])
    }
    for number in feeds.indices {
      try recognise(&feeds[number], sameID: stored.sameID[number])
    }
    var close = try closePositions(to: feeds)
    for number in feeds.indices { try recogniseOthers(&feeds[number], among: close) }
    for number in feeds.indices { try retain(keep, of: &feeds[number]) }
    for number in feeds.indices { try update(&feeds[number]) }
    close.formUnion(changed.keys)
    var elsewhere = try OtherFeedMatches(of: feeds, among: close, in: self)
    insertions.all.reserveCapacity(feeds.reduce(0) { $0 + $1.open.count })
    for number in feeds.indices { try place(&feeds[number], elsewhere: &elsewhere) }
    return feeds.map(\.findings)
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

  func current(_ position: Int) throws(StorageError) -> StoredItem {
    if let item = changed[position] { return item }
    return try table.item(at: position)
  }

  /// As of when a stored story counted before this merge, in seconds since 2001.
  func storedInstant(_ position: Int) throws(StorageError) -> Double {
    if !instants.isEmpty, !instants[position].isNaN { return instants[position] }
    return try table.story(at: position).instant(now: now)
  }

  /// The same after it; nil where nothing of the story has changed.
  func newInstant(_ position: Int) -> Double? {
    changed[position].map { StoryTime.place(date: $0.item.date, stored: $0.stored, now: now) }
  }

  /// Leaves a story to other feeds; without any it goes.
  mutating func leave(_ stored: StoredItem, at position: Int, to feeds: [String]) {
    var stored = stored
    stored.feeds = feeds
    changed[position] = stored
    if feeds.isEmpty { removed.insert(position) }
  }
}

/// Feeds that go, or move.
extension ItemMerge {
  /// What becomes of a feed's stories when it is no longer subscribed to: other feeds keep those
  /// that they carry too; the rest goes, unless it is starred.
  package mutating func unsubscribe(_ feed: String) throws(StorageError) {
    for position in try positions(of: [feed]) {
      let stored = try current(position)
      let others = stored.feeds.filter { $0 != feed }
      if others.isEmpty, stored.isStarred { continue }
      leave(stored, at: position, to: others)
    }
  }

  /// Gives feeds' stories to their new URLs; those that are added by this merge too.
  ///
  /// All moves of a run at once, in their order: each look for stories goes through all that are
  /// stored.
  package mutating func move(_ moves: [(from: String, to: String)]) throws(StorageError) {
    guard !moves.isEmpty else { return }
    var last: [String: String] = [:]
    for move in moves.reversed() { last[move.from] = last[move.to] ?? move.to }
    for position in try positions(of: Array(last.keys)) where !removed.contains(position) {
      var stored = try current(position)
      stored.feeds = Self.moved(stored.feeds, last)
      changed[position] = stored
    }
    for number in insertions.all.indices
    where insertions.all[number].feeds.contains(where: { last[$0] != nil }) {
      insertions.all[number].feeds = Self.moved(insertions.all[number].feeds, last)
    }
  }

  /// Positions of the stories that any of the feeds carries, each once.
  private func positions(of feeds: [String]) throws(StorageError) -> [Int] {
    let deliveries = feeds.map { FeedDelivery(feed: $0, items: []) }
    return Set(try StoredPositions(deliveries, in: table, now: now).byDelivery.joined()).sorted()
  }

  private static func moved(_ feeds: [String], _ moves: [String: String]) -> [String] {
    var seen: Set<String> = []
    return feeds.map { moves[$0] ?? $0 }.filter { seen.insert($0).inserted }
  }
}
