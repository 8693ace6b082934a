import FeedModel
package import FeedStorage
package import System

/// Takes in what feeds deliver, and finds what becomes of the stored stories.
///
/// A feed never changes another feed's stories: all it can do to a story that another one brought
/// is to add itself to `feeds`. The work is linear in what was delivered and, only when something
/// is to be changed, in the number of stored stories.
package struct ItemMerge {
  let table: ItemTable
  let now: Date
  private let evaluate: StoryEvaluator?
  /// Stored stories as they are to be, by position in the table.
  var changed: [Int: StoredItem] = [:]
  /// Where changed stories go whose date has changed.
  var placements: [Int: Placement] = [:]
  var removed: Set<Int> = []
  package internal(set) var insertions: Insertions
  /// Whole texts of stories that are new, or have another one.
  package internal(set) var texts: [NewText] = []
  /// Articles of stories that come from another home.
  package internal(set) var articles: [NewText] = []
  package internal(set) var marks = ImportedMarks()
  /// As of when stored stories count, in seconds since 2001, as far as it is known: not a number
  /// where it is not; empty before anything is delivered.
  private var instants: [Double] = []

  package init(_ table: ItemTable, now: Date, evaluate: StoryEvaluator? = nil) {
    self.table = table
    self.now = now
    self.evaluate = evaluate
    insertions = Insertions(now: now)
  }

  /// Takes in what feeds delivered.
  ///
  /// To be called once with all deliveries of a run, at most one of each feed: the first that brings a
  /// story owns it.
  package mutating func deliver(
    _ deliveries: [FeedDelivery]
  ) throws(StorageError) -> [FeedFindings] {
    insertions.deliveries = deliveries
    let stored = try StoredPositions(deliveries, in: table, now: now)
    instants = stored.instants
    var feeds = deliveries.enumerated().map { MergedFeed($1, number: $0, in: stored) }

    // First step, `StoryRecognition`: which delivered stories are stored already.
    let close = try positions(closeTo: feeds)
    for number in feeds.indices { try recognise(&feeds[number], among: close) }
    if let evaluate {
      for number in feeds.indices { try feeds[number].evaluate(evaluate) }
    }
    // Second step, `Retention`: which stored stories go that the feeds no longer carry.
    for number in feeds.indices {
      try drop(feeds[number].evicted(in: table), from: &feeds[number])
    }
    for number in feeds.indices { try update(&feeds[number]) }
    // Third step, `StoryOrder`: where what is new, or has another date, stands.
    var shared = try sharedStories(feeds, among: close)
    let new = feeds.reduce(0) { $0 + $1.new.count }
    insertions.all.reserveCapacity(new)
    texts.reserveCapacity(texts.count + new)
    var order = DocumentOrder()
    for number in feeds.indices { try place(&feeds[number], &order, &shared) }
    return feeds.map(\.findings)
  }

  /// Returns what becomes of the stored stories; new ones stand among them by their number in
  /// `insertions`.
  package func changes() throws(StorageError) -> StoryChanges {
    var order = StoryOrder(count: table.count, placing: insertions.count)
    (order.changes.replaced, order.changes.removed) = (changed, removed)
    for (position, placement) in placements { order.move(position, to: placement) }
    for (number, insertion) in insertions.all.enumerated() {
      order.place(.made(number), at: insertion.placement)
    }
    return order.ordered(order.needsInstants ? try table.instants(now: now, known: instants) : [])
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
    changed[position].map {
      StoryTime.sortInstant(date: $0.item.date, stored: $0.stored, now: now)
    }
  }
}

/// What the steps need of the table, and what follows from them.
extension ItemMerge {
  /// The stored stories that are worth a close look: those that share an id, guid, link or title
  /// with a delivered one that is not recognised yet.
  ///
  /// PERF: found in one pass for all feeds, since each look at a story far from the last one may
  /// cost a page of the data file.
  private func positions(closeTo feeds: [MergedFeed]) throws(StorageError) -> Set<Int> {
    guard var reader = ItemReader(table) else { return [] }
    var wanted = FingerprintFilter()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: feed.stored.isEmpty) }
    guard !wanted.isEmpty else { return [] }
    var close: Set<Int> = []
    for position in 0..<table.count {
      try reader.move(to: position)
      if try wanted.mayContain(reader) { close.insert(position) }
    }
    return close
  }

  private func recognise(
    _ feed: inout MergedFeed,
    among close: Set<Int>,
  ) throws(StorageError) {
    guard feed.hasNew else { return }
    let (delivery, known) = (feed.delivery, feed.recognised)
    var candidates: [StoryRecognition.Candidate] = []
    for position in feed.stored where close.contains(position) {
      candidates.append(.init(try table.item(at: position), at: position, of: delivery.feed))
    }
    guard !candidates.isEmpty else { return }
    feed.recognised = try StoryRecognition.recognise(delivery, known: known, among: candidates)
    if feed.hasNew { try feed.noteReusedGUIDs(among: candidates) }
  }

  /// Stories that other feeds carry stay with them.
  private mutating func drop(
    _ positions: [Int],
    from feed: inout MergedFeed,
  ) throws(StorageError) {
    let url = feed.delivery.feed
    let before = feed.findings.evicted.count
    for position in positions {
      var story = try current(position)
      let ids = [story.id, ItemID.id(feed: url, key: ItemID.key(of: story.item))]
      feed.findings.evicted += Set(ids.compactMap { UInt64($0, radix: 16) }).sorted()
      story.feeds.removeAll { $0 == url }
      changed[position] = story
      if story.feeds.isEmpty { removed.insert(position) }
    }
    let new = feed.findings.evicted.count - before
    feed.findings.evicted = Retention.remembered(feed.findings.evicted, new: new)
  }

  /// Gives stored stories their new content, where the feed is the one that brought them.
  private mutating func update(_ feed: inout MergedFeed) throws(StorageError) {
    for (story, recognition) in feed.recognised.enumerated() {
      if let imported = feed.delivery.imported(story) {
        // What its feed has brought here is newer than another program's copy of it.
        if let position = recognition.position, !imported.isDeleted {
          try takeMarks(of: imported, at: position)
        }
        continue
      }
      if feed.delivery.isForced { try storeTextAgain(story, of: feed) }
      guard case .known(let position, let rule) = recognition else { continue }
      var stored = try current(position)
      var item = try feed.delivery.item(story)
      if stored.article.isInPlace { item.textNumber = stored.item.textNumber }
      guard stored.feeds.first == feed.delivery.feed, stored.item != item else { continue }
      if try shorten(&stored, as: item, at: position, story, of: feed) { continue }
      if stored.item.textNumber != item.textNumber { note(story, of: feed, as: stored.id) }
      if stored.item.title != item.title { feed.retitled.insert(story) }
      stored.take(item, at: now)
      if let rule { stored.note(StoryMatch(feed: feed.delivery.feed, rule: rule, date: now)) }
      changed[position] = stored
      feed.findings.updated += 1
    }
  }

  /// Leaves the beginning of a summary that an earlier version stored as a whole; whether that is all
  /// in which the story has changed.
  private mutating func shorten(
    _ stored: inout StoredItem,
    as item: Item,
    at position: Int,
    _ story: Int,
    of feed: MergedFeed,
  ) throws(StorageError) -> Bool {
    let short = stored.item.shortened(as: item)
    guard short != stored.item else { return false }
    if short.textNumber != stored.item.textNumber { note(story, of: feed, as: stored.id) }
    stored.item = short
    guard short == item else { return false }
    changed[position] = stored
    return true
  }

  mutating func note(_ story: Int, of feed: MergedFeed, as id: String) {
    if let text = feed.delivery.text(of: story, for: id) { texts.append(text) }
  }

  /// The folder of the texts may be gone, or damaged.
  private mutating func storeTextAgain(
    _ story: Int,
    of feed: MergedFeed,
  ) throws(StorageError) {
    guard let position = feed.recognised[story].position else { return }
    let stored = try current(position)
    guard stored.feeds.first == feed.delivery.feed, !stored.article.isInPlace else { return }
    note(story, of: feed, as: stored.id)
  }

  /// What other feeds may have of the stories that are still new, by what they are known by now.
  private func sharedStories(
    _ feeds: [MergedFeed],
    among close: Set<Int>,
  ) throws(StorageError) -> SharedStories {
    var shared = SharedStories(expecting: feeds.reduce(0) { $0 + $1.new.count })
    guard var reader = ItemReader(table) else { return shared }
    var wanted = FingerprintFilter()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: true) }
    guard !wanted.isEmpty else { return shared }
    // A link that stands in for a guid may have made the id of a story that has another now.
    var reused = ItemIDs()
    for feed in feeds {
      for story in feed.withReusedGUIDs { reused.insert(feed.delivery.ids[story]) }
    }
    let holders = try table.positions(of: reused)
    for position in close.union(changed.keys).union(holders).sorted() {
      try reader.move(to: position)
      let isWanted = try wanted.mayContain(reader)
      if isWanted || changed[position] != nil { shared.add(try current(position), at: position) }
    }
    return shared
  }
}

/// Feeds that move.
extension ItemMerge {
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
