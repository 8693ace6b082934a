internal import CommandLine
internal import FeedModel
internal import FeedStorage
internal import FeedUpdating
internal import System

/// A sync through a folder that some other program keeps alike on several machines.
struct FolderSession: MachineSession {
  let home: HomeSync
  private let path: SyncFolder

  init(_ home: HomeSync, _ folder: SyncFolder) {
    (self.home, path) = (home, folder)
  }

  var folder: SyncFolder? { path }

  func read() throws -> MachineReading {
    let begun = try home.begin()
    var contents = try path.read(for: begun.machine, home.intake(begun))
    contents.takeOwn(after: begun)
    return MachineReading(contents, begun)
  }

  func send(_ merged: MachineMerge, _ outcome: inout SyncOutcome) throws {
    guard home.sharesStories else { return }
    var merged = merged
    try mergeAgain(withStories: try takeStories(merged, &outcome), &merged, &outcome)
    try leaveStories(merged)
  }

  /// Stores the stories that other machines have left, and returns the number of new ones.
  ///
  /// A file that cannot be read is a fault of the outcome, not an error.
  private func takeStories(_ merged: MachineMerge, _ outcome: inout SyncOutcome) throws -> Int {
    var count = 0
    let own = merged.own.state
    for machine in merged.reading.contents.machines where machine.id != own.machine {
      guard let path = path.storiesFile(of: machine.id) else { continue }
      try home.checkTime()
      do {
        count += try home.sharing.take(path, but: own)
      } catch {
        outcome.faults.append(error.line)
      }
    }
    return count
  }

  private func leaveStories(_ merged: MachineMerge) throws {
    try home.checkTime()
    let stories = try home.sharing.stories(for: merged.wanting)
    let machine = merged.own.state.machine
    try home.store.save(stories, of: machine, in: path, waitAtMost: home.limit)
  }
}
