import FeedModel
package import FeedStorage
package import System

/// Takes a clearing back in a library that may have changed since.
///
/// Stories that came back by themselves are not doubled; they get their marks back. Where all
/// stories were cleared, what came since is put among them, not the other way round: that is the
/// smaller part.
package struct ClearingUndo {
  private let record: UndoRecord
  private let library: Library
  private let now: Date
  private let places: FeedPlaces
  /// The feeds that remember cleared stories.
  private let remembering: Set<String>

  /// Stories that are here again.
  package private(set) var returned = 0
  /// Cleared stories that had come back by themselves.
  package private(set) var wereBack = 0
  /// Stories that a feed has again which was taken from them.
  package private(set) var rejoined = 0
  package private(set) var change = LibraryChange()

  /// - Parameters:
  ///   - record: of a clearing.
  ///   - library: what is stored now.
  ///   - now: the time of the return.
  /// - Throws: when the stories cannot be read.
  package init(of record: UndoRecord, in library: Library, now: Date) throws(StorageError) {
    self.record = record
    self.library = library
    self.now = now
    places = FeedPlaces(record.subscriptions, now: library.subscriptions)
    remembering = Set(library.subscriptions.filter { !$0.state.cleared.isEmpty }.map(\.url))
    change.undo = .forgotten
    change.subscriptions = library.subscriptions
    if let cleared = record.cleared {
      if record.isWhole, library.items.count < cleared.count {
        try putStored(into: cleared)
      } else {
        try putBack(cleared)
      }
    } else if !record.left.isEmpty {
      try putBack(ItemTable.empty)
    }
    restoreStates()
  }

  // MARK: Some were cleared

  private mutating func putBack(_ cleared: ItemTable) throws(StorageError) {
    change.other = cleared
    var merge = TableMerge(into: library.items, of: cleared, now: now)
    try merge.findByID()
    try merge.findRenamed(in: .base, since: record.date, isSame: isBack)
    try merge.place(record.runs)
    var noted = ClearedHashUpdates(feeds: remembering)
    var lists = FeedLists(places)
    if var scanner = ItemScanner(cleared) {
      for position in 0..<cleared.count {
        try scanner.move(to: position)
        let feeds = try lists.feeds(&scanner)
        try noted.note(scanner, feeds: feeds.now)
        if let place = merge.partner(of: position) {
          try merge.add(feeds: feeds.now, marks: scanner.marks(), to: place)
          wereBack += 1
        } else if try isWanted(feeds.now, scanner) {
          let instant = try scanner.instant(now: now)
          merge.insert(position, asOf: instant, feeds: feeds.isMoved ? feeds.now : nil)
          returned += 1
        }
      }
    }
    try rejoin(&merge)
    change.items = try merge.edits()
    forget(noted)
  }

  /// Whether a stored story with the identity of a cleared one is that: it came after the clearing,
  /// from one of the same feeds.
  private func isBack(_ stored: StoredItem, _ cleared: StoredItem) -> Bool {
    guard let date = stored.stored, date >= record.date else { return false }
    let feeds = places.feeds(cleared.feeds)
    return stored.feeds.contains { feeds.contains($0) }
  }

  /// A story of feeds that are no longer followed stays away, unless it is starred, or was of none.
  private func isWanted(
    _ feeds: [String],
    _ scanner: borrowing ItemScanner,
  ) throws(StorageError) -> Bool {
    if places.isUnchanged || !feeds.isEmpty { return true }
    return try scanner.isStarred()
  }

  /// Gives the feeds back the stories that others kept.
  private mutating func rejoin(_ merge: inout TableMerge) throws(StorageError) {
    guard var scanner = ItemScanner(library.items) else { return }
    var noted = ClearedHashUpdates(feeds: remembering)
    var positions: Set<Int> = []
    for left in record.left {
      guard let feed = places.feeds([left.feed]).first else { continue }
      for position in try library.items.positions(of: left.ids) {
        try scanner.move(to: position)
        try noted.note(scanner, feeds: [feed])
        var feeds = try merge.feeds(of: position)
        guard !feeds.contains(feed) else { continue }
        let isOwned = try left.owned.contains(library.items.id(at: position))
        feeds.insert(feed, at: isOwned ? 0 : feeds.count)
        merge.setFeeds(of: position, to: feeds)
        positions.insert(position)
      }
    }
    rejoined = positions.count
    forget(noted)
  }

  private mutating func forget(_ noted: ClearedHashUpdates) {
    change.subscriptions = change.subscriptions?.map { subscription in
      var copy = subscription
      let hashes = noted.hashes(of: subscription.url)
      if !hashes.isEmpty { copy.state.forget(cleared: Set(hashes)) }
      return copy
    }
  }

  // MARK: All were cleared

  private mutating func putStored(into cleared: ItemTable) throws(StorageError) {
    change.base = cleared
    change.other = library.items
    returned = cleared.count
    guard library.items.count > 0 || !places.isUnchanged else {
      change.items = [.keep(0..<cleared.count)]
      return
    }
    var merge = TableMerge(into: cleared, of: library.items, now: now)
    try merge.findByID()
    try merge.findRenamed(in: .other, since: record.date, isSame: isBack)
    if !places.isUnchanged { try moveFeeds(&merge) }
    var renewed = RewrittenStories(old: cleared, new: library.items)
    if var scanner = ItemScanner(library.items) {
      for position in 0..<library.items.count {
        try scanner.move(to: position)
        guard let place = merge.partner(of: position) else {
          merge.insert(position, asOf: try scanner.instant(now: now), feeds: nil)
          continue
        }
        let feeds = try library.items.feeds(at: position)
        try merge.add(feeds: feeds, marks: scanner.marks(), to: place)
        if let number = try renewed.add(position, over: place, feeds: merge.feeds(of: place)) {
          merge.replace(place, by: number)
        }
        returned -= 1
        wereBack += 1
      }
    }
    change.source = renewed.source
    change.items = try merge.edits() ?? [.keep(0..<cleared.count)]
  }

  private mutating func moveFeeds(_ merge: inout TableMerge) throws(StorageError) {
    guard var scanner = ItemScanner(merge.base) else { return }
    var lists = FeedLists(places)
    for position in 0..<merge.base.count {
      try scanner.move(to: position)
      let feeds = try lists.feeds(&scanner)
      guard feeds.isMoved else { continue }
      if try isWanted(feeds.now, scanner) || merge.isInBoth(position) {
        merge.setFeeds(of: position, to: feeds.now)
      } else {
        merge.remove(position)
        returned -= 1
      }
    }
  }

  // MARK: Feeds

  private mutating func restoreStates() {
    var states: [String: FeedState] = [:]
    for old in record.subscriptions {
      for url in places.feeds([old.url]) { states[url] = old.state }
    }
    change.subscriptions = change.subscriptions?.map { subscription in
      states[subscription.url].map(subscription.rememberingStories) ?? subscription
    }
  }
}
