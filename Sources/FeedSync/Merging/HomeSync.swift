package import FeedFetching
package import FeedModel
package import FeedStorage
internal import FeedUpdating
import System

/// Merges a home with what other machines know.
package struct HomeSync {
  let context: SyncContext
  let store: LibraryStore
  private let sharesStories: Bool
  let consent: SyncConsent
  private let isByHand: Bool
  private let deadline: ContinuousClock.Instant?
  private let cancellation: FetchCancellation?
  package let name: String
  private let place: String

  package init(
    _ context: SyncContext,
    _ store: LibraryStore,
    sharesStories: Bool = false,
    consent: SyncConsent = .asked,
    isByHand: Bool = false,
    until deadline: ContinuousClock.Instant? = nil,
    _ cancellation: FetchCancellation? = nil,
  ) {
    (self.context, self.store, self.sharesStories) = (context, store, sharesStories)
    (self.consent, self.isByHand) = (consent, isByHand)
    (self.deadline, self.cancellation) = (deadline, cancellation)
    let (name, id) = context.machine()
    self.name = SafeText.line(name)
    place = SyncState.place(machine: id, home: POSIX.resolved(store.home))
  }

  /// What it came to.
  package struct Outcome: Sendable {
    package var result = SyncResult()
    /// Those that are known of, this one as the last.
    package var machines: [SyncFolder.Machine] = []
    /// Why something was left out, a line each.
    package var faults: [String] = []
    /// The number of the last change of this home that was told.
    var told: UInt32?
  }

  /// How long to wait for another writer of the store.
  private var limit: Duration {
    let rest = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(30)
    return max(min(rest, .seconds(30)), .zero)
  }

  private func checkTime() throws(SyncError) {
    let isOver = deadline.map { $0 <= .now } ?? false
    if isOver || cancellation?.isCancelled == true {
      throw SyncError("there was no time for all of it")
    }
  }

  // MARK: By way of a folder

  func run(_ folder: SyncFolder) throws(SyncError) -> Outcome {
    let begun = try begin()
    var contents = try SyncError.converting { try folder.read(for: begun.machine, on: now) }
    contents.takeOwn(after: begun)
    var (outcome, own) = try merge(contents, begun, in: folder)
    guard sharesStories else { return outcome }
    for machine in contents.machines where machine.id != own.state.machine {
      guard let path = folder.storiesFile(of: machine.id) else { continue }
      try checkTime()
      do throws(SyncError) {
        outcome.result.stories += try sharing.take(path, but: own.state)
      } catch {
        outcome.faults.append(error.line)
      }
    }
    if outcome.result.stories > 0 {
      let (second, file) = try merge(contents, begun, in: folder)
      outcome.result.add(second.result)
      own = file
    }
    try tell(own.state.machine, contents, in: folder)
    return outcome
  }

  /// Leaves the stories that others lack in the folder.
  private func tell(
    _ machine: MachineID,
    _ contents: SyncFolder.Contents,
    in folder: SyncFolder,
  ) throws(SyncError) {
    let wanting = contents.machines.filter { $0.id != machine }.compactMap(\.stories)
    try checkTime()
    let stories = try sharing.stories(for: wanting)
    try SyncError.converting {
      try store.save(stories, of: machine, in: folder, waitAtMost: limit)
    }
  }

  var sharing: StorySharing { StorySharing(context: context, store: store, limit: limit) }

  private var now: Date { context.now() }

  // MARK: Merging

  /// Notes what was changed here, with the time, while nobody else can be asked.
  func noteChanges(_ begun: SyncState) throws(SyncError) -> SyncFile {
    var contents = SyncFolder.Contents()
    // Who else there is cannot be seen: nothing may be dropped.
    contents.faults = ["nobody was asked"]
    return try merge(contents, begun, in: nil).file
  }

  /// Merges the home with what others know, and saves what it came to, in `folder` too where there is one.
  ///
  /// The work is done before the lock is taken, and again under it where another has changed the home
  /// meanwhile.
  /// - Returns: with what it came to the file that others may have.
  package func merge(
    _ contents: SyncFolder.Contents,
    _ begun: SyncState,
    in folder: SyncFolder?,
  ) throws(SyncError) -> (outcome: Outcome, file: SyncFile) {
    let others = contents.machines.filter { $0.id != begun.machine }
    let moved = try move(contents, begun)
    let versions = store.syncVersions()
    let before = try store.library()
    let ready = try merged(contents, others, begun, before, in: folder)
    var (result, file) = try store.change(waitAtMost: limit) { library throws(SyncError) in
      if library.isUnchanged(in: before), store.syncVersions() == versions { return ready }
      return try merged(contents, others, begun, library, in: folder)
    }
    result.changed += moved
    let own = SyncFolder.Machine(shared(file))
    var outcome = Outcome(result: result, machines: others + [own], faults: contents.faults)
    outcome.told = file.state.replica.seen[file.state.machine]
    return (outcome, shared(file))
  }

  private func merged(
    _ contents: SyncFolder.Contents,
    _ others: [SyncFolder.Machine],
    _ begun: SyncState,
    _ library: Library,
    in folder: SyncFolder?,
  ) throws(SyncError) -> (LibraryChange, (SyncResult, SyncFile)) {
    try SyncError.converting {
      let (old, isKnown) = try remembered(else: begun)
      var merge = try SyncMerge(
        old,
        store.recordedChanges(),
        with: contents.known,
        machines: contents.faults.isEmpty
          ? Dictionary(others.map { ($0.id, $0.seen) }, uniquingKeysWith: { $1 }) : nil,
        library: library,
        rules: try store.rules(),
        now: now,
        consent: consent,
      )
      var (change, result) = try merge.change(
        record: context.undoRecord,
        undoesMarks: isByHand,
      )
      let state = complete(merge.state, merge.storyKeys, contents, old)
      let file = SyncFile(state, name: name, written: now)
      let isPublished = contents.own.map { $0.isSame(as: shared(file)) } ?? false
      change.sync = saving(file, isNew: !isKnown || state != old, in: isPublished ? nil : folder)
      return (change, (result, file))
    }
  }

  /// What is to be saved of a merge: with it nothing is left that was recorded before.
  private func saving(_ file: SyncFile, isNew: Bool, in folder: SyncFolder?) -> SyncSaving {
    let recorded = store.recordedChanges()
    return SyncSaving(
      file,
      shared: shared(file),
      isNew: isNew,
      in: folder,
      recorded: recorded.map { $0.count == 0 } ?? false
        ? nil : RecordedChanges(last: max(recorded?.last ?? 0, file.state.taken)),
    )
  }

  // MARK: With a server

  /// The home with what was changed here, for a server's changes to be merged into.
  package func merge(_ library: Library) throws(SyncError) -> SyncMerge {
    try SyncError.converting {
      try SyncMerge(
        try remembered(else: try begin()).state,
        store.recordedChanges(),
        with: Replica(),
        machines: nil,
        library: library,
        rules: try store.rules(),
        now: now,
        consent: consent,
      )
    }
  }

  /// What is to be saved of that; `merge` is complete.
  func saving(_ merge: SyncMerge) throws(SyncError) -> SyncSaving {
    let (old, isKnown) = try SyncError.converting { try remembered(else: try begin(isTold: true)) }
    let state = complete(merge.state, merge.storyKeys, SyncFolder.Contents(), old)
    let file = SyncFile(state, name: name, written: now)
    return saving(file, isNew: !isKnown || state != old, in: nil)
  }

  /// The file as others may have it.
  private func shared(_ file: SyncFile) -> SyncFile {
    var file = file
    if !sharesStories { file.state.stories = nil }
    return file
  }

  /// With what the machines call themselves, and what stories are wanted no more.
  private func complete(
    _ state: SyncState,
    _ keys: Set<UInt64>,
    _ contents: SyncFolder.Contents,
    _ old: SyncState,
  ) -> SyncState {
    var state = state
    let others = contents.machines.filter { $0.id != state.machine }
    for machine in others where !machine.name.isEmpty { state.names[machine.id] = machine.name }
    state.names[state.machine] = name
    state.names = state.names.filter {
      state.replica.seen[$0.key] != nil || $0.key == state.machine
    }
    guard sharesStories else { return state }
    // What was here and has gone is not to come back from another that still has it.
    let wanting = others.compactMap(\.stories)
    var gone = (old.stories ?? []).subtracting(keys)
    let known = Set(others.map(\.id)).union([state.machine])
    // Of machines that say nothing this time nobody knows what they still have.
    if contents.faults.isEmpty, state.replica.seen.keys.allSatisfy(known.contains) {
      gone = gone.filter { key in wanting.contains { $0.contains(key) } }
    }
    state.stories = keys.union(gone)
    return state
  }

  /// What the home remembers; a copy of another home is a machine of its own.
  ///
  /// With `isTold` the reader knows already of what was lost.
  func begin(isTold: Bool = false) throws(SyncError) -> SyncState {
    var new = SyncState(machine: .new(at: place, on: now), place: place)
    new.isNew = true
    guard var state = try SyncError.converting({ try readable(isTold) }) else { return new }
    guard state.place != place else { return state }
    if !isTold {
      context.complain(
        "this home was on another machine or in another folder before: it is a machine of its own now"
      )
    }
    (state.machine, state.place) = (new.machine, place)
    return state
  }

  /// What is remembered; nothing where that is damaged, as if the file were lost.
  private func readable(_ isTold: Bool) throws(StorageError) -> SyncState? {
    do throws(StorageError) {
      let state = try store.syncState()
      if !isTold { checkRecord(isMerged: state != nil) }
      return state
    } catch {
      guard case .damaged = error else { throw error }
      if !isTold { complain("\(error)") }
      return nil
    }
  }

  /// Says where one of the two files is lost without the other: one that is new has neither, and who
  /// synchronizes with nothing any more has no record.
  private func checkRecord(isMerged: Bool) {
    let hasRecord = store.recordedChanges() != nil
    let path = store.home + "/changes.plist"
    if isMerged, !hasRecord, FileStatus(at: path) != nil { complain("\(path) cannot be read") }
    if !isMerged, hasRecord { complain("\(store.home)/sync.plist is gone") }
  }

  private func complain(_ loss: String) {
    context.complain("\(loss); the home is merged as one that is new: what either side has stays")
  }

  /// What is remembered at this moment, and whether that is saved as it is.
  private func remembered(
    else begun: SyncState
  ) throws(StorageError) -> (state: SyncState, isKnown: Bool) {
    guard let state = (try? store.syncState()) ?? nil, state.place == place else {
      return (begun, false)
    }
    return (state, true)
  }

  // MARK: Feeds that have moved

  /// Has feeds follow where they are followed elsewhere, with their stories; gives how many did.
  private func move(
    _ contents: SyncFolder.Contents,
    _ begun: SyncState,
  ) throws(SyncError) -> Int {
    guard !contents.known.registers.isEmpty else { return 0 }
    var library = try store.library()
    library.items = .empty
    let moves = try SyncError.converting {
      try SyncMerge(
        try remembered(else: begun).state,
        store.recordedChanges() ?? RecordedChanges(),
        with: contents.known,
        machines: nil,
        library: library,
        rules: [],
        now: now,
        consent: consent,
      ).moves
    }
    for (feed, place) in moves {
      let move = SubscriptionMove(
        from: feed,
        to: feed.accountKept(at: place),
        whenKnown: .merge,
        record: context.undoRecord,
      )
      try store.change(waitAtMost: limit) { library throws(SyncError) in
        (try change(library, by: move, of: feed, to: place), ())
      }
    }
    return moves.count
  }

  private func change(
    _ library: Library,
    by move: SubscriptionMove,
    of feed: Subscription,
    to place: String,
  ) throws(SyncError) -> LibraryChange {
    var (change, moved) = try SyncError.converting { try move.change(library, now: now, nil) }
    if !RequestTrust.isOneSite(feed.url, place), !moved.isMerged {
      change.subscriptions = change.subscriptions?.map { $0.url == place ? $0.withoutTrust : $0 }
    }
    change.isOfOthers = true
    return change
  }
}

extension Subscription {
  /// At a place that other machines say; to another site goes neither the feed's password nor the
  /// leave to be in a private network.
  fileprivate var withoutTrust: Subscription {
    var feed = self
    feed.passwordCommand = nil
    feed.state.isOnInternet = true
    return feed
  }

  fileprivate func accountKept(at place: String) -> String {
    guard RequestTrust.isOneSite(url, place), let account = WebURL.account(of: url) else {
      return place
    }
    return WebURL.adding(account: account, to: place)
  }
}
