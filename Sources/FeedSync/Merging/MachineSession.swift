import FeedModel
package import FeedStorage
import FeedUpdating

/// A sync with other machines, which send what they know in files, and then the stories that are lacked.
package protocol MachineSession: SyncSession
where Reading == MachineReading, Merged == MachineMerge {
  var home: HomeSync { get }
  /// Where what is ours is saved with a merge; nil where it is sent behind that.
  var folder: SyncFolder? { get }
}

/// What other machines know.
package struct MachineReading: Sendable {
  let contents: SyncFolder.Contents
  /// What the home remembered before.
  let begun: SyncState

  init(_ contents: SyncFolder.Contents, _ begun: SyncState) {
    (self.contents, self.begun) = (contents, begun)
  }
}

/// A home that was merged with what other machines know.
package struct MachineMerge: Sendable {
  let reading: MachineReading
  /// What others may have of the home.
  var own: SyncFile

  /// What the stories are known by that each of the others wants no more.
  var wanting: [StoryHashes] {
    reading.contents.machines.filter { $0.id != own.state.machine }.compactMap(\.stories)
  }
}

extension MachineSession {
  package var folder: SyncFolder? { nil }

  package mutating func merge(
    _ reading: MachineReading
  ) throws(SyncError) -> (MachineMerge, SyncOutcome) {
    let (outcome, own) = try home.merge(reading.contents, reading.begun, in: folder)
    return (MachineMerge(reading: reading, own: own), outcome)
  }

  /// Has stories that are new here take the marks that they have elsewhere.
  func mergeAgain(
    withStories count: Int,
    _ merged: inout MachineMerge,
    _ outcome: inout SyncOutcome,
  ) throws(SyncError) {
    guard count > 0 else { return }
    outcome.result.stories += count
    let reading = merged.reading
    let second = try home.merge(reading.contents, reading.begun, in: folder)
    outcome.result.add(second.outcome.result)
    merged.own = second.file
  }
}
