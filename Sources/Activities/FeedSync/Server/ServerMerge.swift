package import FeedModel
internal import FeedReading
package import FeedStorage
package import System

/// A merge of a home with a server: the changes here, the edits to send, and the state to save.
///
/// An edit is remembered only after it was sent. Until then it differs from the base, and does so
/// again if nobody knows whether it arrived. The server is always read first, so an edit that
/// arrived is seen, and not sent twice.
package struct ServerMerge {
  package private(set) var state: ServerState
  private(set) var edits: [ServerEdit: [ServerItemID]] = [:]
  let feeds: ServerFeeds
  private var pending = PendingConsent()
  private let now: Date

  init(
    _ server: SyncServer,
    _ state: ServerState,
    _ reading: ServerReading,
    _ home: inout SyncMerge,
    now: Date,
    consent: SyncConsent,
  ) throws {
    (self.state, self.now) = (state, now)
    // States of different merges tell nothing about changes: both sides keep what they have.
    let isMerged = home.agrees(state.merged, with: server.name)
    if !isMerged { self.state.feeds = [:] }
    let own = home.subscriptions.all
    feeds = ServerFeeds(server, self.state, reading.feeds, own, now: now, consent)
    self.state.take(reading, ServerPairs(reading.feeds, self.state, own).names)
    let base = isMerged ? state.withoutReturned(reading) : nil
    let marks = try ServerMarks(base, &self.state, reading, home).changes(of: home)
    if feeds.all != own { home.take(feeds.all) }
    pending.removed = feeds.lost
    self.state.feeds = feeds.bases
    self.state.serial += 1
    try take(marks, into: &home, consent)
    self.state.keepRefusals(of: edits, feeds)
    edits = edits.due(state, now: now)
    self.state.told = home.heard
    self.state.merged = home.agree(
      with: server.name,
      hasEdits: !edits.isEmpty || !feeds.edits.isEmpty,
    )
  }

  private mutating func take(
    _ changes: [ServerMarks.Change],
    into home: inout SyncMerge,
    _ consent: SyncConsent,
  ) throws {
    for kind in ServerMarks.kinds {
      let changes = changes.filter { $0.mark.isOfKind(kind) }
      let lost = changes.count { $0.value.isTakenBack }
      let all = lost < SyncBounds.fewestLostMarks ? 0 : try home.marked(kind)
      let isTooMuch = SyncBounds.isTooMany(lostMarks: lost, of: all)
      if isTooMuch, consent == .asked { pending.lost[kind] = lost }
      for change in changes {
        carryOut(change, change.value.decided(consent, isTooMuch: isTooMuch), &home)
      }
    }
    for (edit, ids) in edits { edits[edit] = ids.sorted() }
  }

  private mutating func carryOut(
    _ change: ServerMarks.Change,
    _ value: SyncValue?,
    _ home: inout SyncMerge,
  ) {
    guard let value else {
      // The server's former value stays remembered, so that the next sync sees again that it is
      // gone.
      for item in change.items { state.set(change.mark, of: item, true) }
      return
    }
    if value != change.value.here ?? SyncValue.none { home.take(value, under: change.keys) }
    let edit = ServerEdit(change.mark, value != .none)
    for (item, side) in zip(change.items, change.value.sides) where side.there != value {
      edits[edit, default: []].append(item)
    }
  }

  package func change(
    _ home: inout SyncMerge,
    by origin: ChangeOrigin,
    undoesMarks: Bool,
  ) throws -> (LibraryChange, SyncResult) {
    var (change, result) = try home.change(by: origin, undoesMarks: undoesMarks)
    result.pending = pending
    result.sent = 0
    return (change, result)
  }

  /// The number of changes that the next sync sends, and the changes that the server has refused.
  package static func unsent(
    _ server: SyncServer,
    _ state: ServerState,
    _ home: SyncMerge,
    now: Date,
  ) throws -> (waiting: Int, refused: [RefusedChange]) {
    var home = home
    let remembered = ServerReading(state)
    let merge = try ServerMerge(server, state, remembered, &home, now: now, consent: .accepted)
    let waiting = merge.edits.values.reduce(merge.feeds.edits.count) { $0 + $1.count }
    return (waiting, merge.state.refusedChanges)
  }

  // MARK: What was sent

  mutating func didSend(_ edit: ServerEdit, of ids: ArraySlice<ServerItemID>) {
    for id in ids {
      state.set(edit.mark, of: id, edit.isSet)
      state.refusals[.story(edit, id)] = nil
    }
  }

  mutating func didRefuse(
    _ edit: ServerEdit,
    of ids: ArraySlice<ServerItemID>,
    _ error: ServerError,
  ) {
    for id in ids { state.note("\(error)", to: .story(edit, id), now) }
  }

  /// Records the feeds that the server follows after accepted and refused edits of them.
  ///
  /// - Returns: the feeds that it does not follow although it accepted the edit.
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
      guard let there = edit.feed(in: reading) else {
        missing.append(edit)
        continue
      }
      new.removeAll { $0.stream == there.stream }
      confirm(edit.url, there, besides: refused.first { $0.edit.url == edit.url }?.edit)
    }
    // The server has found the feed at another URL.
    if missing.count == 1, new.count == 1 {
      confirm(missing[0].url, new[0])
      missing = []
    }
    for (edit, error) in refused { note("\(error)", to: edit) }
    for edit in missing { note("it said that it does, and does not", to: edit) }
    return missing.map(\.url)
  }

  private mutating func note(_ reason: String, to edit: ServerFeedEdit) {
    let feed = feeds.all.first { $0.sharedURL == edit.url }
    let wish = ServerFeeds.wish(edit.action, feed)
    state.note(reason, to: .feed(edit.url), now, change: edit.words(), wish: wish)
  }

  /// Records the agreed values of a feed, without the part of an edit that was refused.
  private mutating func confirm(
    _ url: String,
    _ there: ServerReading.Feed,
    besides refused: ServerFeedEdit? = nil,
  ) {
    if refused == nil { state.refusals[.feed(url)] = nil }
    guard let feed = feeds.all.first(where: { $0.sharedURL == url }) else { return }
    var base = ServerFeed(feed, there)
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
