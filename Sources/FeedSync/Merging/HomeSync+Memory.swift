internal import FeedModel
internal import FeedStorage
import System

/// What a home remembers of its merges.
extension HomeSync {
  /// What the home remembers; a copy of another home is a machine of its own.
  ///
  /// With `isReported` the reader knows already of what was lost.
  func begin(isReported: Bool = false) throws(SyncError) -> SyncState {
    var new = SyncState(machine: .new(at: origin, on: now), origin: origin)
    (new.isNew, new.since) = (true, SyncStamp.time(of: now))
    guard var state = try SyncError.converting({ try readable(isReported) }) else { return new }
    guard state.origin != origin else { return state }
    if !isReported {
      context.complain(
        "this home was on another machine or in another folder before: it is a machine of its own now"
      )
    }
    (state.machine, state.origin) = (new.machine, origin)
    return state
  }

  /// What is remembered; nothing where that is damaged, as if the file were lost.
  private func readable(_ isReported: Bool) throws(StorageError) -> SyncState? {
    do throws(StorageError) {
      let state = try store.syncState()
      if !isReported { checkRecord(isMerged: state != nil) }
      return state
    } catch {
      guard case .damaged = error else { throw error }
      if !isReported { complain("\(error)") }
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
  func remembered(
    else begun: SyncState
  ) throws(StorageError) -> (state: SyncState, isKnown: Bool) {
    guard let state = (try? store.syncState()) ?? nil, state.origin == origin else {
      return (begun, false)
    }
    return (state, true)
  }
}
