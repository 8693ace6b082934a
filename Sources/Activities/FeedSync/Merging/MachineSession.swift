import FeedModel
package import FeedStorage

/// A sync with machines that exchange files of their state.
package protocol MachineSession: SyncSession
where Reading == MachineReading, Merged == SyncFile {
  var home: HomeSync { get }
}

package struct MachineReading: Sendable {
  let contents: SyncFolder.Contents
  let begun: SyncState
  /// The folder in which a merge saves this home's file, or nil if it is sent after the merge.
  var folder: SyncFolder?
}

extension MachineSession {
  package mutating func merge(_ reading: MachineReading) throws -> (SyncFile, SyncOutcome) {
    let (outcome, own) = try home.merge(reading.contents, reading.begun, in: reading.folder)
    return (own, outcome)
  }
}
