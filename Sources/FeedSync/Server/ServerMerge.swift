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
  /// The marks that are to be sent.
  package let edits: [ServerEdit: [ServerItemID]]
  package let feeds: ServerFeeds
  private let pending: PendingConsent
  private let now: Date

  /// Merges into `home` what the server has changed.
  package init(
    _ server: SyncServer,
    _ state: ServerState,
    _ reading: ServerReading,
    _ home: inout SyncMerge,
    now: Date,
    consent: SyncConsent,
  ) throws(StorageError) {
    // What does not belong together says nothing of what has changed: both sides keep what they have.
    let isMerged = home.agrees(state.merged, with: server.name)
    var known = state
    if !isMerged { known.feeds = [:] }
    let own = home.subscriptions.all
    feeds = ServerFeeds(server, known, reading.feeds, own, now: now, consent)
    let marks = try ServerMarks(known, reading, &home, isMerged: isMerged, consent)
    if feeds.all != own { home.take(feeds.all) }
    edits = marks.edits.due(state, now: now)
    var pending = marks.pending
    pending.add(feeds.pending)
    self.pending = pending
    self.now = now
    self.state = state
    self.state.serial += 1
    (self.state.items, self.state.labels) = (marks.items, marks.labels ?? state.labels)
    self.state.feeds = feeds.bases
    let wanted = Set((feeds.edits + feeds.held).map(\.url))
    self.state.keepRefusals(of: marks.edits, feeds: wanted)
    self.state.merged = home.agree(
      with: server.name,
      hasEdits: !edits.isEmpty || !feeds.edits.isEmpty,
    )
  }

  /// What is to be saved, but for what is to be remembered.
  package func change(
    _ home: inout SyncMerge,
    record: UndoRecord,
    undoesMarks: Bool,
  ) throws(StorageError) -> (LibraryChange, SyncResult) {
    var (change, result) = try home.change(record: record, undoesMarks: undoesMarks)
    result.pending = pending
    result.sent = 0
    return (change, result)
  }

  /// The changes of a home that the server does not have: marks, and feeds.
  package static func unsent(
    _ server: SyncServer,
    _ state: ServerState,
    _ home: SyncMerge,
    now: Date,
  ) throws(StorageError) -> UnsentChanges {
    let known = state.feeds.map { url, feed in
      ServerReading.Feed(
        stream: feed.stream,
        url: url,
        title: feed.serverTitle,
        tags: feed.serverTags,
      )
    }
    let feeds = ServerFeeds(server, state, known, home.subscriptions.all, now: now)
    let marks = try ServerMarks.unsent(state, home)
    var state = state
    state.keepRefusals(of: marks, feeds: Set((feeds.edits + feeds.held).map(\.url)))
    return UnsentChanges(
      waiting: marks.due(state, now: now).markCount + feeds.edits.count,
      refused: state.refusedChanges,
    )
  }

  // MARK: What was sent

  package mutating func didSend(_ edit: ServerEdit, of ids: ArraySlice<ServerItemID>) {
    for id in ids {
      switch edit {
      case .read, .unread: state.items[id]?.isRead = edit == .read
      case .starred, .unstarred: state.items[id]?.isStarred = edit == .starred
      case .tagged(let name): state.labels?.set(name, of: id, true)
      case .untagged(let name): state.labels?.set(name, of: id, false)
      }
      state.refusedMarks[RefusedMark(id, edit)] = nil
    }
  }

  mutating func didRefuse(
    _ edit: ServerEdit,
    of ids: ArraySlice<ServerItemID>,
    _ error: ServerError,
  ) {
    for id in ids { state.note(error, to: edit, of: id, now) }
  }

  /// Takes in what the server follows after edits of it, those that it took and those it refused.
  ///
  /// - Returns: the feeds that it does not follow, though it said so.
  mutating func didSend(
    _ sent: [ServerFeedEdit],
    refused: [RefusedFeedEdit],
    now reading: [ServerReading.Feed],
    before: [ServerReading.Feed],
  ) -> [String] {
    let old = Set(before.map(\.stream))
    var new = reading.filter { !old.contains($0.stream) }
    var missing: [ServerFeedEdit] = []
    let whole = refused.map(\.edit).filter { edit in
      edit.action == .edit && !sent.contains { $0.url == edit.url }
    }
    for edit in sent + whole {
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
      settle(edit.url, there, besides: refused.first { $0.edit.url == edit.url }?.edit)
    }
    // The server has found the feed at another URL.
    if missing.count == 1, new.count == 1 {
      settle(missing[0].url, new[0])
      missing = []
    }
    for (edit, error) in refused { note("\(error)", to: edit) }
    for edit in missing { note("it said that it does, and does not", to: edit) }
    return missing.map(\.url)
  }

  private mutating func note(_ reason: String, to edit: ServerFeedEdit) {
    let feed = feeds.all.first { $0.sharedURL == edit.url }
    state.note(reason, to: edit, wish: ServerFeeds.wish(edit.action, feed), now)
  }

  /// Remembers what both have of a feed, but for the part of a change that the server has refused.
  private mutating func settle(
    _ url: String,
    _ there: ServerReading.Feed,
    besides refused: ServerFeedEdit? = nil,
  ) {
    if refused == nil { state.refused[url] = nil }
    guard let feed = feeds.all.first(where: { $0.sharedURL == url }) else { return }
    var base = ServerFeeds.base(feed, there)
    if let refused {
      if refused.title != nil { base.title = state.feeds[url]?.title }
      base.tags = base.tags.filter { !refused.added.contains($0) } + refused.removed
    }
    state.feeds[url] = base
  }

  mutating func didRead(_ reading: ServerSession.Reading) {
    state.root = reading.root
    state.user = reading.lists.user ?? state.user
    if reading.isComplete { state.synced = now }
  }
}
