import FeedModel
package import FeedStorage
import FeedUpdating

/// A sync with machines that exchange files of their state, and then the stories that one lacks.
package protocol MachineSession: SyncSession
where Reading == MachineReading, Merged == MachineMerge {
  var home: HomeSync { get }
  /// The folder in which a merge saves this home's file, or nil if it is sent after the merge.
  var folder: SyncFolder? { get }
}

package struct MachineReading: Sendable {
  let contents: SyncFolder.Contents
  let begun: SyncState

  init(_ contents: SyncFolder.Contents, _ begun: SyncState) {
    (self.contents, self.begun) = (contents, begun)
  }
}

package struct MachineMerge: Sendable {
  let reading: MachineReading
  var own: SyncFile

  /// Hashes of the stories that each other machine does not want.
  var wanting: [StoryHashes] {
    reading.contents.machines.filter { $0.id != own.state.machine }.compactMap(\.stories)
  }
}

extension MachineSession {
  package var folder: SyncFolder? { nil }

  package mutating func merge(_ reading: MachineReading) throws -> (MachineMerge, SyncOutcome) {
    let (outcome, own) = try home.merge(reading.contents, reading.begun, in: folder)
    return (MachineMerge(reading: reading, own: own), outcome)
  }

  /// Merges again, so that newly stored stories get their marks from the other machines.
  func mergeAgain(
    withStories count: Int,
    _ merged: inout MachineMerge,
    _ outcome: inout SyncOutcome,
  ) throws {
    guard count > 0 else { return }
    outcome.result.stories += count
    let reading = merged.reading
    let second = try home.merge(reading.contents, reading.begun, in: folder)
    outcome.result.add(second.outcome.result)
    merged.own = second.file
  }
}
