import FeedModel
package import FeedStorage
package import System

/// Takes a change back in a library that may have changed since: what the record says that was is
/// there again, beside what has come.
package struct LibraryUndo {
  let record: UndoRecord
  /// What is stored, with the subscriptions as they are to be.
  let library: Library
  let now: Date
  let moved: MovedFeeds
  var order: StoryOrder
  var noted: ClearedHashUpdates
  /// Feeds that lose stories which they may still carry.
  private var losing: Set<String> = []

  /// What is to be saved.
  package internal(set) var change = LibraryChange()
  package let feeds: SubscriptionUndo
  /// Of each of the record's marks, how many stories lose the mark, how many the tag or get it back,
  /// and how many have their former text again.
  package private(set) var unmarked: [(marks: Int, tags: Int, texts: Int)]
  /// Stories that lose any of them.
  package private(set) var unmarkedStories = 0
  /// Stories that go.
  package private(set) var removed = 0
  package internal(set) var returned = 0
  /// Cleared stories that had come back by themselves.
  package internal(set) var wereBack = 0
  /// Stories that a feed has again which was taken from them.
  package private(set) var rejoined = 0

  package init(of record: UndoRecord, in stored: Library, now: Date) throws(StorageError) {
    self.record = record
    self.now = now
    feeds = SubscriptionUndo(of: record, in: stored)
    var library = stored
    library.subscriptions = feeds.subscriptions
    self.library = library
    moved = MovedFeeds(record.subscriptions, now: library.subscriptions)
    order = StoryOrder(count: library.items.count)
    let remembering = library.subscriptions.filter { !$0.state.cleared.isEmpty }
    noted = ClearedHashUpdates(feeds: Set(remembering.map(\.url)))
    unmarked = record.marked.map { _ in (0, 0, 0) }
    try changeStories()
    change.subscriptions = subscriptions()
    change.outlines = record.outlines
    change.rules = record.rules
    change.undo = .forgotten
    if change.other == nil, removed > 0 || change.rules != nil {
      change.order = .subscriptionsFirst
    }
  }

  private mutating func changeStories() throws(StorageError) {
    if record.isWhole, let cleared = record.cleared, library.items.count == 0, moved.isUnchanged {
      change.restoresDataFile = true
      returned = cleared.count
      return
    }
    try changeStored()
    if let cleared = record.cleared { try putBack(cleared) }
    guard !order.isUnchanged else { return }
    let instants = order.needsInstants ? try library.items.instants(now: now) : []
    change.items = order.edits(instants)
  }

  // MARK: Stories that are there

  private mutating func changeStored() throws(StorageError) {
    guard var reader = ItemReader(library.items) else { return }
    let gone = Set(feeds.removed.map(\.url))
    let hasFeeds = isOfFeeds || !record.left.isEmpty || record.added != nil
    for position in try positions() {
      try reader.move(to: position)
      let (id, stored) = (try reader.id(), hasFeeds ? try reader.feedURLs() : [])
      let rest = stored.filter { !gone.contains($0) }
      let isAdded = record.added?.contains(id) == true
      let isLeftOver = rest.isEmpty && !stored.isEmpty
      let isOrphan = isLeftOver ? try !reader.isStarred() : false
      guard !isAdded, !isOrphan else {
        remove(position, isAdded: isAdded, of: rest)
        continue
      }
      let feeds = try feeds(rest.isEmpty ? stored : rest, of: id, reader)
      var new = ItemAdjustment(feeds: feeds == stored ? nil : feeds)
      try unmark(id, reader, &new)
      guard new != ItemAdjustment() else { continue }
      order.change(
        position,
        to: new.isOfMarksAlone
          ? .mark(position..<position + 1, new.marks) : .adjust(position, new),
      )
    }
  }

  /// Where the stories are that may change.
  private func positions() throws(StorageError) -> [Int] {
    guard !isOfFeeds else { return Array(0..<library.items.count) }
    let ids = record.marked.map(\.ids) + record.left.map(\.ids) + [record.added].compactMap(\.self)
    guard ids.count > 1 else { return try library.items.positions(of: ids.first ?? ItemIDs()) }
    var positions: Set<Int> = []
    for ids in ids { positions.formUnion(try library.items.positions(of: ids)) }
    return positions.sorted()
  }

  /// Whether stories change by their feeds, whatever their ids.
  private var isOfFeeds: Bool { !feeds.removed.isEmpty || record.move != nil }

  private mutating func remove(_ position: Int, isAdded: Bool, of feeds: [String]) {
    order.remove(position)
    removed += 1
    guard isAdded else { return }
    change.unbrought.append(position)
    losing.formUnion(feeds)
  }

  /// The feeds that a story has again.
  private mutating func feeds(
    _ rest: [String],
    of id: String,
    _ reader: borrowing ItemReader,
  ) throws(StorageError) -> [String] {
    var feeds = rest
    if let move = record.move, move.ids?.contains(id) ?? true {
      feeds = feeds.map { $0 == move.to ? move.from : $0 }
    }
    let count = feeds.count
    for left in record.left where left.ids.contains(id) {
      guard let feed = moved.feeds([left.feed]).first else { continue }
      try noted.note(reader, feeds: [feed])
      guard !feeds.contains(feed) else { continue }
      feeds.insert(feed, at: left.owned.contains(id) ? 0 : feeds.count)
    }
    if feeds.count > count { rejoined += 1 }
    return feeds
  }

  private mutating func unmark(
    _ id: String,
    _ reader: borrowing ItemReader,
    _ new: inout ItemAdjustment,
  ) throws(StorageError) {
    var isChanged = false
    for (number, marked) in record.marked.enumerated() where marked.ids.contains(id) {
      let marks = marked.marks.reversed
      if try !reader.marks().have(marks) {
        new.marks.take(marks)
        unmarked[number].marks += 1
        isChanged = true
      }
      if let article = marked.article, try reader.article() != article {
        new.article = article
        unmarked[number].texts += 1
        isChanged = true
      }
      guard let tag = marked.tag ?? marked.lostTag else { continue }
      let storedTags = try reader.strings(.tags)
      let tags = new.tags ?? storedTags
      guard tags.contains(tag) == (marked.tag != nil) else { continue }
      new.tags = marked.tag == nil ? tags + [tag] : tags.filter { $0 != tag }
      unmarked[number].tags += 1
      isChanged = true
    }
    if isChanged { unmarkedStories += 1 }
  }

  // MARK: Subscriptions

  /// The subscriptions with the states that a clearing took from them, and that no longer keep away
  /// what is back.
  private func subscriptions() -> [Subscription] {
    var states: [String: FeedState] = [:]
    for old in record.move == nil ? record.subscriptions : [] {
      for url in moved.feeds([old.url]) { states[url] = old.state }
    }
    return library.subscriptions.map { subscription in
      var copy = subscription
      copy.state.forget(cleared: Set(noted.hashes(of: copy.url)))
      if let state = states[copy.url] { copy = copy.rememberingStories(as: state) }
      return losing.contains(copy.url) ? copy.forgettingDocument() : copy
    }
  }
}
