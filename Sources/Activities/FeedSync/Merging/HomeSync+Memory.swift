internal import FeedModel
internal import FeedStorage
import System

extension HomeSync {
  /// Returns the saved state, or a new one.
  ///
  /// A copy of another home gets a machine id of its own. With `isReported` the user has been told
  /// of damage already.
  func begin(isReported: Bool = false) throws -> SyncState {
    var new = SyncState(machine: .new(at: origin, on: now), origin: origin)
    (new.isNew, new.since) = (true, SyncStamp.time(of: now))
    guard var state = try readable(isReported) else { return new }
    guard state.origin != origin else { return state }
    if !isReported {
      context.complain(
        "this home was on another machine or in another folder before: it is a machine of its own now"
      )
    }
    (state.machine, state.origin) = (new.machine, origin)
    return state
  }

  /// Gives the home another id than the machine's that writes its file, and saves it.
  ///
  /// Returns the state as it is where another process of this home was just ahead.
  func renamed(_ begun: SyncState, if isAhead: (SyncState) -> Bool) throws -> SyncState {
    var state = try begin(isReported: true)
    guard isAhead(state) else { return state }
    context.complain("this home is a copy of another one: it is a machine of its own now")
    state.machine = .new(at: "\(origin) \(state.machine)", on: now)
    let saving = SyncSaving(
      SyncFile(state, name: name, written: now),
      isNew: true,
      in: nil,
      recorded: nil,
    )
    try store.change(waitAtMost: limit) { _ in
      var change = LibraryChange()
      change.agreements.machines = saving
      return (change, ())
    }
    return state
  }

  private func readable(_ isReported: Bool) throws -> SyncState? {
    do {
      let state = try store.syncState()
      if !isReported { checkRecord(isMerged: state != nil) }
      return state
    } catch {
      guard case StorageError.damaged = error else { throw error }
      if !isReported { complain("\(error)") }
      return nil
    }
  }

  /// Warns if what was merged, or what is to be told, is lost without the other.
  ///
  /// A new home has neither, and a home without remotes has nothing to tell.
  private func checkRecord(isMerged: Bool) {
    if !isMerged {
      if store.isSynchronized { complain("\(store.home)/sync.plist is gone") }
      return
    }
    do { try store.checkRecordedChanges() } catch { complain("\(error)") }
  }

  private func complain(_ loss: String) {
    context.complain("\(loss); the home is merged as one that is new: what either side has stays")
  }

  /// The state that is saved now, or `begun` if that is lost or belongs to another home.
  ///
  /// `isKnown` says that it was saved.
  func remembered(else begun: SyncState) throws -> (state: SyncState, isKnown: Bool) {
    guard let state = (try? store.syncState()) ?? nil, state.origin == origin else {
      return (begun, false)
    }
    return (state, true)
  }
}
