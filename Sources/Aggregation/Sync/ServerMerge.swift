package import FeedModel
package import FeedStorage
package import System

/// What a home and a server come to: what is to be changed here, what is to be sent, and what is to
/// be remembered.
///
/// Nothing of what is to be sent is remembered before it was: it differs from the base, and so does
/// it next time if nobody knows whether it arrived. The server is always read first, so that what
/// did arrive is seen, and is not sent again.
package struct ServerMerge {
  package private(set) var state: ServerState
  package let edits: [ServerEdit: [ServerItemID]]
  package let feeds: ServerFeeds
  private let marks: [Int: ItemMarks]
  private let library: Library
  private let now: Date

  package init(
    _ server: SyncServer,
    _ state: ServerState,
    _ reading: ServerReading,
    _ library: Library,
    now: Date,
  ) throws(StorageError) {
    let merged = try ServerMarks(state, reading, library)
    feeds = ServerFeeds(server, state, reading.feeds, library, now: now)
    (edits, marks) = (merged.edits, merged.marks)
    (self.library, self.now) = (library, now)
    self.state = state
    self.state.serial += 1
    self.state.items = merged.items
    self.state.feeds = feeds.bases
  }

  /// What is to be saved, but for what is to be remembered; marks alone leave what `news undo` takes
  /// back.
  package func change(
    record: UndoRecord
  ) throws(StorageError) -> (LibraryChange, SyncResult) {
    var (change, result) = (LibraryChange(), SyncResult())
    let old = Dictionary(
      library.subscriptions.map { ($0.url, $0) },
      uniquingKeysWith: { first, _ in first },
    )
    result.marked = marks.count
    result.removed = feeds.gone.count
    result.added = feeds.all.count { old[$0.url] == nil }
    result.changed = feeds.all.count { feed in
      old[feed.url].map { $0.title != feed.title || $0.tags != feed.tags } ?? false
    }
    if !feeds.gone.isEmpty {
      change = try library.unsubscribing(from: feeds.gone, record).change
    }
    if feeds.all != library.subscriptions { change.subscriptions = feeds.all }
    if !marks.isEmpty {
      change.items = (change.items ?? [.keep(0..<library.items.count)]).marking(marks)
    }
    if result.added + result.removed + result.changed > 0 {
      change.completeUndo(record) {
        $0.restore(library.subscriptions, whole: Set(feeds.gone.map(\.url)))
      }
    }
    return (change, result)
  }

  /// How many changes of a home wait to be sent: marks, and feeds.
  package static func waiting(
    _ server: SyncServer,
    _ state: ServerState,
    _ library: Library,
    now: Date,
  ) throws(StorageError) -> Int {
    let known = state.feeds.map { url, feed in
      ServerReading.Feed(
        stream: feed.stream,
        url: url,
        title: feed.serverTitle,
        tags: feed.serverTags,
      )
    }
    let feeds = ServerFeeds(server, state, known, library, now: now)
    return try ServerMarks.waiting(state, library) + feeds.edits.count
  }

  // MARK: What was sent

  package mutating func didSend(_ edit: ServerEdit, of ids: [ServerItemID]) {
    for id in ids {
      switch edit {
      case .read, .unread: state.items[id]?.isRead = edit == .read
      case .starred, .unstarred: state.items[id]?.isStarred = edit == .starred
      }
    }
  }

  /// Takes in what the server follows after edits of it, those that it took and those it refused.
  ///
  /// - Returns: the feeds that it does not follow, though it said so.
  package mutating func didSend(
    _ sent: [ServerFeedEdit],
    refused: [ServerFeedEdit],
    now reading: [ServerReading.Feed],
    before: [ServerReading.Feed],
  ) -> [String] {
    let old = Set(before.map(\.stream))
    var new = reading.filter { !old.contains($0.stream) }
    var missing: [ServerFeedEdit] = []
    for edit in sent {
      guard edit.action != .unsubscribe else {
        state.feeds[edit.url] = nil
        continue
      }
      let alias = Subscription.alias(edit.url)
      let there = reading.first { $0.stream == edit.stream || Subscription.alias($0.url) == alias }
      guard let there else {
        missing.append(edit)
        continue
      }
      new.removeAll { $0.stream == there.stream }
      settle(edit.url, there)
    }
    // The server has found the feed at another URL.
    if missing.count == 1, new.count == 1 {
      settle(missing[0].url, new[0])
      missing = []
    }
    for edit in refused + missing where edit.action == .subscribe {
      state.refused[edit.url] = now
    }
    return missing.map(\.url)
  }

  private mutating func settle(_ url: String, _ there: ServerReading.Feed) {
    state.refused[url] = nil
    guard let feed = feeds.all.first(where: { $0.sharedURL == url }) else { return }
    state.feeds[url] = ServerFeeds.base(feed, there)
  }

  package mutating func didRead(root: String, user: String?, isComplete: Bool) {
    state.root = root
    state.user = user ?? state.user
    if isComplete { state.synced = now }
  }
}
