import FeedModel
package import FeedStorage

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Takes a clearing back in a library that may have changed since.
///
/// Stories that came back by themselves are not doubled; they get their marks back. Where all
/// stories were cleared, what came since is put among them, not the other way round: that is the
/// smaller part.
package struct StoryReturn {
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
    var merge = TableMerge(into: library.items, of: cleared, now: now)
    try merge.findByID()
    // PERF: most often nothing came meanwhile, and no cleared story needs to be looked at closely.
    if try hasNewStories() { try merge.findRenamed { isBack($0, $1) } }
    try merge.place(record.runs)
    var hashes: [String: Set<UInt64>] = [:]
    for position in 0..<cleared.count {
      var story = try cleared.item(at: position)
      story.feeds = places.feeds(story.feeds)
      note(story, of: story.feeds, in: &hashes)
      if merge.partner(of: position) != nil {
        try merge.combine(position) { stored in
          stored.feeds += story.feeds.filter { !stored.feeds.contains($0) }
          stored.isRead = stored.isRead || story.isRead
          stored.isStarred = stored.isStarred || story.isStarred
        }
        wereBack += 1
      } else if isWanted(story) {
        try merge.insert(story, from: position)
        returned += 1
      }
    }
    try rejoin(&merge, &hashes)
    change.items = try merge.edits()
    forget(hashes)
  }

  /// Whether anything was stored since the clearing.
  private func hasNewStories() throws(StorageError) -> Bool {
    let date = record.date.timeIntervalSinceReferenceDate
    guard var scanner = ItemScanner(library.items) else { return false }
    for position in 0..<library.items.count {
      try scanner.move(to: position)
      if let stored = try scanner.instants().stored, stored >= date { return true }
    }
    return false
  }

  /// Takes note of what feeds are to forget of a story; a clearing leaves no more in them than it
  /// may (`ClearedHashes.most`), the newest stories first.
  private func note(
    _ story: StoredItem,
    of feeds: [String],
    in hashes: inout [String: Set<UInt64>],
  ) {
    let open = feeds.filter {
      remembering.contains($0) && hashes[$0, default: []].count < ClearedHashes.most
    }
    guard !open.isEmpty else { return }
    let new = ClearedHashes.hashes(of: story.item)
    for feed in open { hashes[feed, default: []].formUnion(new) }
  }

  /// Whether a stored story with the identity of a cleared one is that: it came after the clearing,
  /// from one of the same feeds.
  private func isBack(_ stored: StoredItem, _ cleared: StoredItem) -> Bool {
    guard let date = stored.stored, date >= record.date else { return false }
    let feeds = places.feeds(cleared.feeds)
    return stored.feeds.contains { feeds.contains($0) }
  }

  /// A story of feeds that are no longer followed stays away, unless it is starred, or was of none.
  private func isWanted(_ story: StoredItem) -> Bool {
    places.isUnchanged || !story.feeds.isEmpty || story.isStarred
  }

  /// Gives the feeds back the stories that others kept.
  private mutating func rejoin(
    _ merge: inout TableMerge,
    _ hashes: inout [String: Set<UInt64>],
  ) throws(StorageError) {
    var positions: Set<Int> = []
    for left in record.left {
      guard let feed = places.feeds([left.feed]).first else { continue }
      for position in try library.items.positions(of: left.ids) {
        let story = try library.items.item(at: position)
        note(story, of: [feed], in: &hashes)
        guard !story.feeds.contains(feed) else { continue }
        let isOwned = left.owned.contains(story.id)
        try merge.change(position) { $0.feeds.insert(feed, at: isOwned ? 0 : $0.feeds.count) }
        positions.insert(position)
      }
    }
    rejoined = positions.count
  }

  private mutating func forget(_ hashes: [String: Set<UInt64>]) {
    change.subscriptions = change.subscriptions?.map { subscription in
      var copy = subscription
      if let hashes = hashes[subscription.url] { copy.state.forget(cleared: hashes) }
      return copy
    }
  }

  // MARK: All were cleared

  private mutating func putStored(into cleared: ItemTable) throws(StorageError) {
    change.base = cleared
    returned = cleared.count
    guard library.items.count > 0 || !places.isUnchanged else {
      change.items = [.keep(0..<cleared.count)]
      return
    }
    var merge = TableMerge(into: cleared, of: library.items, now: now)
    try merge.findByID()
    try merge.findRenamed { cleared, stored in isBack(stored, cleared) }
    if !places.isUnchanged { try moveFeeds(&merge) }
    for position in 0..<library.items.count {
      let story = try library.items.item(at: position)
      guard merge.partner(of: position) != nil else {
        try merge.insert(story, from: position)
        continue
      }
      try merge.combine(position) { old in
        old.item = story.item
        old.feeds += story.feeds.filter { !old.feeds.contains($0) }
        old.isRead = old.isRead || story.isRead
        old.isStarred = old.isStarred || story.isStarred
      }
      returned -= 1
      wereBack += 1
    }
    change.items = try merge.edits() ?? [.keep(0..<cleared.count)]
  }

  private mutating func moveFeeds(_ merge: inout TableMerge) throws(StorageError) {
    let shared = merge.shared
    for position in 0..<merge.base.count {
      var story = try merge.base.item(at: position)
      let feeds = places.feeds(story.feeds)
      guard feeds != story.feeds else { continue }
      story.feeds = feeds
      if isWanted(story) || shared.contains(position) {
        try merge.change(position) { $0.feeds = feeds }
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
