internal import FeedModel
internal import FeedStorage

/// A sync through a folder that some other program keeps alike on several machines.
struct FolderSession: MachineSession {
  let home: HomeSync
  let path: SyncFolder

  func read() throws -> MachineReading {
    var begun = try home.begin()
    var contents = try path.read(for: begun.machine, home.intake(begun))
    if contents.isAhead(of: begun) {
      begun = try home.renamed(begun, if: contents.isAhead)
      contents = try path.read(for: begun.machine, home.intake(begun))
    }
    return MachineReading(contents: contents, begun: begun, folder: path)
  }

  func send(_ merged: SyncFile, _ outcome: inout SyncOutcome) {}
}
