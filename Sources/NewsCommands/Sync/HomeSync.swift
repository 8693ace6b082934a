import Aggregation
import FeedFetching
import FeedModel
import FeedStorage

/// Merges a home with what other machines know.
struct HomeSync {
  let context: CommandContext
  let store: LibraryStore
  private let sharesStories: Bool
  private let deadline: ContinuousClock.Instant?
  private let cancellation: FetchCancellation?
  private let name: String
  private let place: String

  init(
    _ context: CommandContext,
    _ store: LibraryStore,
    sharesStories: Bool,
    until deadline: ContinuousClock.Instant? = nil,
    _ cancellation: FetchCancellation? = nil,
  ) {
    (self.context, self.store, self.sharesStories) = (context, store, sharesStories)
    (self.deadline, self.cancellation) = (deadline, cancellation)
    let (name, id) = context.environment.machine()
    self.name = SafeText.line(name)
    place = SyncState.place(machine: id, home: POSIX.resolved(store.home))
  }

  /// What it came to.
  struct Outcome: Sendable {
    var result = SyncResult()
    /// Those that are known of, this one as the last.
    var machines: [SyncFolder.Machine] = []
    /// Why something was left out, a line each.
    var faults: [String] = []
  }

  /// How long to wait for another writer of the store.
  private var limit: Duration {
    let rest = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(30)
    return max(min(rest, .seconds(30)), .zero)
  }

  private func checkTime() throws(CommandError) {
    let isOver = deadline.map { $0 <= .now } ?? false
    if isOver || cancellation?.isCancelled == true {
      throw .failed("there was no time for all of it")
    }
  }

  // MARK: By way of a folder

  func run(_ folder: SyncFolder) throws(CommandError) -> Outcome {
    let begun = try begin()
    let contents = try commandErrors { try folder.read(for: begun.machine, on: now) }
    var (outcome, own) = try merge(contents, begun, in: folder)
    guard sharesStories else { return outcome }
    for machine in contents.machines where machine.id != own.state.machine {
      guard let path = folder.storiesFile(of: machine.id) else { continue }
      try checkTime()
      do throws(CommandError) {
        outcome.result.stories += try sharing.take(path, but: own.state)
      } catch {
        outcome.faults += error.lines.prefix(1)
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
  ) throws(CommandError) {
    let wanting = contents.machines.filter { $0.id != machine }.compactMap(\.stories)
    try checkTime()
    let stories = try sharing.stories(for: wanting)
    try commandErrors {
      try store.save(stories, of: machine, in: folder, waitAtMost: limit)
    }
  }

  var sharing: StorySharing { StorySharing(context: context, store: store, limit: limit) }

  private var now: Date { context.clock.date }

  // MARK: Merging

  /// Notes what was changed here, with the time, while nobody else can be asked.
  func noteChanges(_ begun: SyncState) throws(CommandError) -> SyncFile {
    var contents = SyncFolder.Contents()
    // Who else there is cannot be seen: nothing may be dropped.
    contents.faults = ["nobody was asked"]
    return try merge(contents, begun, in: nil).file
  }

  /// Merges the home with what others know, and saves what it came to, in `folder` too where there is one.
  ///
  /// - Returns: with what it came to the file that others may have.
  func merge(
    _ contents: SyncFolder.Contents,
    _ begun: SyncState,
    in folder: SyncFolder?,
  ) throws(CommandError) -> (outcome: Outcome, file: SyncFile) {
    let others = contents.machines.filter { $0.id != begun.machine }
    let moved = try move(contents, begun)
    let now = now
    var (result, file) = try store.change(waitAtMost: limit) { library throws(CommandError) in
      try commandErrors {
        let (old, isKnown) = try remembered(else: begun)
        var merge = try merge(contents, others, old, library, try store.rules())
        var (change, result) = try merge.change(record: context.undoRecord)
        let state = complete(merge.state, merge.storyKeys, contents, old)
        let file = SyncFile(state, name: name, written: now)
        let isPublished = contents.own.map { $0.isSame(as: shared(file)) } ?? false
        change.sync = SyncSaving(
          file,
          shared: shared(file),
          isNew: !isKnown || state != old,
          in: isPublished ? nil : folder,
        )
        return (change, (result, file))
      }
    }
    result.changed += moved
    let own = SyncFolder.Machine(shared(file))
    return (
      Outcome(result: result, machines: others + [own], faults: contents.faults), shared(file),
    )
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
  func begin() throws(CommandError) -> SyncState {
    let new = SyncState(machine: .new(at: place, on: now), place: place)
    guard var state = try commandErrors({ try store.syncState() }) else { return new }
    guard state.place != place else { return state }
    context.complain(
      "this home was on another machine or in another folder before: it is a machine of its own now"
    )
    (state.machine, state.place) = (new.machine, place)
    return state
  }

  /// What is remembered under the lock, and whether that is saved as it is.
  private func remembered(
    else begun: SyncState
  ) throws(StorageError) -> (state: SyncState, isKnown: Bool) {
    guard let state = try store.syncState(), state.place == place else { return (begun, false) }
    return (state, true)
  }

  private func merge(
    _ contents: SyncFolder.Contents,
    _ others: [SyncFolder.Machine],
    _ old: SyncState,
    _ library: Library,
    _ rules: [StoryRule],
  ) throws(StorageError) -> SyncMerge {
    var state = old
    // Rules and feeds that were removed leave their files behind.
    state.forget(
      feeds: try store.place("feeds.plist") == nil,
      rules: try store.place("rules.plist") == nil,
    )
    return try SyncMerge(
      state,
      with: contents.known,
      machines: contents.faults.isEmpty
        ? Dictionary(others.map { ($0.id, $0.seen) }, uniquingKeysWith: { $1 }) : nil,
      library: library,
      rules: rules,
      now: now,
    )
  }

  // MARK: Feeds that have moved

  /// Has feeds follow where they are followed elsewhere, with their stories; gives how many did.
  private func move(
    _ contents: SyncFolder.Contents,
    _ begun: SyncState,
  ) throws(CommandError) -> Int {
    guard !contents.known.registers.isEmpty else { return 0 }
    var library = try store.library()
    library.items = .empty
    let moves = try commandErrors {
      try merge(contents, [], begun, library, try store.rules()).moves
    }
    for (feed, place) in moves {
      let move = SubscriptionMove(
        from: feed,
        to: feed.accountKept(at: place),
        whenKnown: .merge,
        record: context.undoRecord,
      )
      try store.change(waitAtMost: limit) { library throws(CommandError) in
        (try change(library, by: move, of: feed, to: place, else: begun), ())
      }
    }
    return moves.count
  }

  private func change(
    _ library: Library,
    by move: SubscriptionMove,
    of feed: Subscription,
    to place: String,
    else begun: SyncState,
  ) throws(CommandError) -> LibraryChange {
    var (change, moved) = try move.change(library, now: now, nil)
    if !RequestTrust.isOneSite(feed.url, place), !moved.isMerged {
      change.subscriptions = change.subscriptions?.map { $0.url == place ? $0.withoutTrust : $0 }
    }
    var state = try commandErrors { try remembered(else: begun).state }
    state.move(feed, to: place)
    let file = SyncFile(state)
    change.sync = SyncSaving(file, shared: file, isNew: true, in: nil)
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
