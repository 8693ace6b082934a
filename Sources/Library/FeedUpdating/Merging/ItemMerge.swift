package import FeedLibrary
package import FeedModel
package import FeedStorage
package import System

/// Makes the evaluator of new stories for each save, with the subscriptions as they are then.
package typealias StoryRules = @Sendable ([Subscription]) -> StoryEvaluator

package typealias StoryEvaluator = (IncomingStory) throws -> StoryEffect

/// Merges deliveries of feeds with the stored stories.
///
/// `StoryWords` decides whose words a story has that several feeds bring. The work is linear in what
/// was delivered and, only if something changes, in the number of stored stories.
package struct ItemMerge {
  let table: ItemTable
  let now: Date
  var words = StoryWords()
  var reading = ReadingSettings()
  let evaluate: StoryEvaluator?
  var changed: [Int: StoredItem] = [:]
  var placements: [Int: Placement] = [:]
  var removed: Set<Int> = []
  package internal(set) var insertions: Insertions
  package internal(set) var texts: [NewText] = []
  package internal(set) var articles: [NewText] = []
  package internal(set) var marks = ImportedMarks()
  var order = DocumentOrder()
  var shared = SharedStories()
  /// Instants of stored stories in seconds since 2001: not a number if unknown, empty before a
  /// delivery.
  private var instants: [Double] = []

  package init(_ table: ItemTable, now: Date, evaluate: StoryEvaluator? = nil) {
    self.table = table
    self.now = now
    self.evaluate = evaluate
    insertions = Insertions(now: now)
  }

  /// Merges deliveries, and returns the findings about each feed.
  ///
  /// To be called once with all deliveries of a run, at most one of each feed.
  package mutating func deliver(_ deliveries: [FeedDelivery]) throws -> [FeedFindings] {
    insertions.deliveries = deliveries
    let index = deliveries.isEmpty ? nil : StoryIndex(table)
    let stored = try StoredPositions(deliveries, in: table, index, now: now)
    instants = stored.instants
    var feeds = deliveries.enumerated().map { MergedFeed($1, number: $0, in: stored) }

    // First step, `StoryRecognition`: the delivered stories that are stored already.
    let close = try positions(closeTo: feeds, index)
    for number in feeds.indices { try recognise(&feeds[number], among: close) }
    if let evaluate {
      for number in feeds.indices { try feeds[number].evaluate(evaluate) }
    }
    // Second step, `Retention`: the stored stories to evict.
    for number in feeds.indices {
      try drop(feeds[number].evicted(in: table), from: &feeds[number])
    }
    for number in feeds.indices { try update(&feeds[number]) }
    for number in feeds.indices { try readOld(in: &feeds[number]) }
    // Third step, `StoryOrder`: the places of new and re-dated stories.
    shared = try sharedStories(feeds, among: close)
    let new = feeds.reduce(0) { $0 + $1.new.count }
    insertions.all.reserveCapacity(new)
    texts.reserveCapacity(texts.count + new)
    for number in feeds.indices { try insert(&feeds[number]) }
    shared = SharedStories()
    return feeds.map(\.findings)
  }

  /// Returns the changes of the stored stories; new ones are given by their number in `insertions`.
  package func changes() throws -> StoryChanges {
    var order = StoryOrder(count: table.count, placing: insertions.count)
    (order.changes.replaced, order.changes.removed) = (changed, removed)
    for (position, placement) in placements { order.move(position, to: placement) }
    for (number, insertion) in insertions.all.enumerated() {
      order.place(.made(number), at: insertion.placement)
    }
    return order.ordered(order.needsInstants ? try table.instants(now: now, known: instants) : [])
  }

  func current(_ position: Int) throws -> StoredItem {
    if let item = changed[position] { return item }
    return try table.item(at: position)
  }

  /// The instant of a stored story before this merge, in seconds since 2001.
  func storedInstant(_ position: Int) throws -> Double {
    if !instants.isEmpty, !instants[position].isNaN { return instants[position] }
    return try table.story(at: position).instant(now: now)
  }

  /// The instant after the merge, or nil if the story has not changed.
  func newInstant(_ position: Int) -> Double? {
    changed[position].map {
      StoryTime.sortInstant(date: $0.item.date, stored: $0.stored, now: now)
    }
  }
}

extension ItemMerge {
  /// The stored stories that share an id, guid, link or title with a delivered one not yet
  /// recognised.
  ///
  /// PERF: found in one pass for all feeds, since each look at a story far from the last one may
  /// cost a page of the data file.
  private func positions(closeTo feeds: [MergedFeed], _ index: StoryIndex?) throws -> Set<Int> {
    guard var reader = ItemReader(table) else { return [] }
    var wanted = FingerprintFilter()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: feed.stored.isEmpty) }
    guard !wanted.isEmpty else { return [] }
    var close: Set<Int> = []
    for position in 0..<table.count {
      if let keys = index?[position] {
        if wanted.mayContain(keys) { close.insert(position) }
        continue
      }
      try reader.move(to: position)
      if try wanted.mayContain(StoryKeys(reader)) { close.insert(position) }
    }
    return close
  }

  private func recognise(_ feed: inout MergedFeed, among close: Set<Int>) throws {
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

  private mutating func drop(_ positions: [Int], from feed: inout MergedFeed) throws {
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

  private mutating func update(_ feed: inout MergedFeed) throws {
    for (story, recognition) in feed.recognised.enumerated() {
      if let imported = feed.delivery.imported(story) {
        // Content from the feed itself is newer than another program's copy.
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
      guard stored.item != item, words.mayWrite(item, of: feed.delivery.feed, over: stored) else {
        continue
      }
      stored.bring(forward: feed.delivery.feed)
      if stored.item.textNumber != item.textNumber { note(story, of: feed, as: stored.id) }
      if feed.delivery.meetsFirst(stored) {
        stored.item = item
      } else {
        edit(&stored, item, story, of: &feed)
      }
      if let rule { stored.note([StoryMatch(feed: feed.delivery.feed, rule: rule, date: now)]) }
      changed[position] = stored
    }
  }

  private func edit(
    _ stored: inout StoredItem,
    _ item: Item,
    _ story: Int,
    of feed: inout MergedFeed,
  ) {
    if stored.item.title != item.title { feed.retitled.insert(story) }
    if reading.isUnreadWhenEdited(feed.delivery.feed), !stored.item.hasWords(of: item) {
      stored.isRead = false
    }
    stored.take(item, at: now)
    feed.findings.updated += 1
  }

  mutating func note(_ story: Int, of feed: MergedFeed, as id: String) {
    if let text = feed.delivery.text(of: story, for: id) { texts.append(text) }
  }

  /// Stores a text again, since the folder of the texts may be gone or damaged.
  private mutating func storeTextAgain(_ story: Int, of feed: MergedFeed) throws {
    guard let position = feed.recognised[story].position else { return }
    let stored = try current(position)
    guard stored.feeds.first == feed.delivery.feed, !stored.article.isInPlace else { return }
    note(story, of: feed, as: stored.id)
  }

  private func sharedStories(_ feeds: [MergedFeed], among close: Set<Int>) throws -> SharedStories {
    var shared = SharedStories(expecting: feeds.reduce(0) { $0 + $1.new.count })
    guard var reader = ItemReader(table) else { return shared }
    var wanted = FingerprintFilter()
    for feed in feeds { try wanted.add(feed, onlyAcrossFeeds: true) }
    guard !wanted.isEmpty else { return shared }
    // A link that stands in for a guid may have made the id of a story that has another key now.
    var reused = ItemIDs()
    for feed in feeds {
      for story in feed.withReusedGUIDs { reused.insert(feed.delivery.ids[story]) }
    }
    let holders = try table.positions(of: reused)
    for position in close.union(changed.keys).union(holders).sorted() {
      try reader.move(to: position)
      let isWanted = try wanted.mayContain(StoryKeys(reader))
      if isWanted || changed[position] != nil { shared.add(try current(position), at: position) }
    }
    return shared
  }
}

extension ItemMerge {
  /// Moves feeds' stories to their new URLs, those that this merge adds, too.
  ///
  /// All moves of a run are made at once, in their order, since each search goes through all stored
  /// stories.
  package mutating func move(_ moves: [(from: String, to: String)]) throws {
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

  private func positions(of feeds: [String]) throws -> [Int] {
    let deliveries = feeds.map { FeedDelivery(feed: $0, items: []) }
    return Set(
      try StoredPositions(deliveries, in: table, StoryIndex(table), now: now).byDelivery.joined()
    ).sorted()
  }

  private static func moved(_ feeds: [String], _ moves: [String: String]) -> [String] {
    feeds.map { moves[$0] ?? $0 }.distinct(by: \.self)
  }
}
