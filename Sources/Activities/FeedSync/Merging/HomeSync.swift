internal import CommandLine
package import FeedFetching
package import FeedModel
package import FeedStorage
internal import FeedUpdating
import System

package struct HomeSync {
  let context: SyncContext
  let store: LibraryStore
  var allowsPrivate = false
  var consent: SyncConsent
  let isByHand: Bool
  let deadline: ContinuousClock.Instant?
  let cancellation: FetchCancellation
  package let name: String
  let origin: String

  package init(
    _ context: SyncContext,
    _ store: LibraryStore,
    consent: SyncConsent = .asked,
    isByHand: Bool = false,
    until deadline: ContinuousClock.Instant? = nil,
    _ cancellation: FetchCancellation = FetchCancellation(),
  ) {
    (self.context, self.store) = (context, store)
    (self.consent, self.isByHand) = (consent, isByHand)
    (self.deadline, self.cancellation) = (deadline, cancellation)
    let (name, id) = context.machine()
    self.name = SafeText.line(name)
    origin = SyncState.origin(machine: id, home: POSIX.resolved(store.home))
  }

  var limit: Duration {
    let rest = deadline.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(30)
    return max(min(rest, .seconds(30)), .zero)
  }

  var now: Date { context.now() }

  // MARK: Merging

  func intake(_ begun: SyncState) -> SyncIntake {
    SyncIntake(
      latest: SyncFolder.latest(on: now),
      own: begun.replica.registers,
    ) { [store] in
      let library = try store.read(.names)
      return try SharedMarks(library.items, library.subscriptions).known
    }
  }

  /// Records this home's changes with their time while no other machine can be reached.
  func noteChanges(_ begun: SyncState) throws -> SyncFile {
    var contents = SyncFolder.Contents()
    // Other machines cannot be seen, so nothing may be dropped.
    contents.faults = ["nobody was asked"]
    return try merge(contents, begun, in: nil).file
  }

  /// Merges the home with the contents of other machines, and saves the result, in `folder` too.
  ///
  /// The merge is computed before the lock is taken, and again under it if another process has
  /// changed the home meanwhile.
  ///
  /// - Returns: the outcome, and the file that other machines may have.
  package func merge(
    _ contents: SyncFolder.Contents,
    _ begun: SyncState,
    in folder: SyncFolder?,
  ) throws -> (outcome: SyncOutcome, file: SyncFile) {
    let others = contents.machines.filter { $0.id != begun.machine }
    let moved = try move(contents, begun)
    let version = StoreVersion(ofSync: store)
    let before = try store.read()
    let ready = try merged(contents, others, begun, before, in: folder)
    var (result, file) = try store.change(waitAtMost: limit) { library in
      if library.isUnchanged(in: before), StoreVersion(ofSync: store) == version { return ready }
      return try merged(contents, others, begun, library, in: folder)
    }
    result.changed += moved
    // The marks that they were given elsewhere come with the next sync.
    result.stories += try bringBack(result.returns)
    let own = SyncFolder.Machine(file)
    var outcome = SyncOutcome(result: result)
    (outcome.machines, outcome.faults) = (others + [own], contents.faults)
    outcome.omissions = contents.omissions
    if result.rulesLeftOut > 0 {
      let (most, bytes) = (SyncMerge.maximumRules, SyncMerge.maximumRuleBytes)
      outcome.omissions.append(
        "rules of others left out: \(result.rulesLeftOut), there are to be \(most) in \(bytes) bytes"
      )
    }
    if result.tagsLeftOut > 0 {
      outcome.omissions.append(
        "tags of others left out: \(result.tagsLeftOut), \(TagLimit())"
      )
    }
    outcome.lastSent = file.state.replica.seen[file.state.machine]
    return (outcome, file)
  }

  private func merged(
    _ contents: SyncFolder.Contents,
    _ others: [SyncFolder.Machine],
    _ begun: SyncState,
    _ library: Library,
    in folder: SyncFolder?,
  ) throws -> (LibraryChange, (SyncResult, SyncFile)) {
    let (old, isKnown) = try remembered(else: begun)
    let seen = Dictionary(others.map { ($0.id, $0.seen) }, uniquingKeysWith: { $1 })
    var merge = try merge(
      library,
      old,
      with: contents.known,
      machines: contents.faults.isEmpty ? seen : nil,
    )
    for machine in others where !machine.name.isEmpty {
      merge.state.names[machine.id] = machine.name
    }
    var (change, result) = try merge.change(
      by: context.origin,
      undoesMarks: isByHand,
    )
    let file = file(of: merge)
    let isPublished = contents.own.map { $0.isSame(as: file) } ?? false
    let isNew = !isKnown || file.state != old
    change.agreements.machines = saving(file, isNew: isNew, in: isPublished ? nil : folder)
    return (change, (result, file))
  }

  /// The files to save; they take the place of the recorded changes.
  private func saving(_ file: SyncFile, isNew: Bool, in folder: SyncFolder?) -> SyncSaving {
    let recorded = store.recordedChanges()
    return SyncSaving(
      file,
      isNew: isNew,
      in: folder,
      recorded: recorded.map { $0.count == 0 } ?? false
        ? nil : RecordedChanges(last: max(recorded?.last ?? 0, file.state.taken)),
    )
  }

  // MARK: With a server

  /// Merges the changes that were recorded here, so that a server's changes can be merged into the
  /// result.
  package func merge(_ library: Library) throws -> SyncMerge {
    try merge(library, try remembered(else: try begin()).state, with: Replica(), machines: nil)
  }

  func merge(
    _ library: Library,
    _ state: SyncState,
    with known: Replica,
    machines: [MachineID: Replica.Seen]?,
  ) throws -> SyncMerge {
    try SyncMerge(
      state,
      store.recordedChanges(),
      with: known,
      machines: machines,
      library: library,
      rules: try store.rules(),
      now: now,
      consent: consent,
      allowsPrivate: allowsPrivate,
    )
  }

  func saving(_ merge: SyncMerge) throws -> SyncSaving {
    let (old, isKnown) = try remembered(else: try begin(isReported: true))
    let file = file(of: merge)
    return saving(file, isNew: !isKnown || file.state != old, in: nil)
  }

  /// The home's own file, with the names of known machines.
  private func file(of merge: SyncMerge) -> SyncFile {
    var state = merge.state
    state.names[state.machine] = name
    state.names = state.names.filter {
      state.replica.seen[$0.key] != nil || $0.key == state.machine
    }
    return SyncFile(state, name: name, written: now)
  }
}
