package import FeedModel
internal import PropertyLists
package import System

/// A folder through which machines are synchronized: each writes one file, and reads those of the
/// others.
package struct SyncFolder: Sendable {
  package let path: String

  private static let maximumMachines = 100
  private static let maximumSize = 80 << 20
  /// The most machines of which files tell; those that a home knows must fit into its own file.
  private static let maximumSeen = 10_000
  /// The most seconds from now to a change, since clocks may be wrong.
  private static let farthest = 100 * 366 * 86_400.0

  package init(_ path: String) {
    self.path = path
  }

  package struct Machine: Hashable, Sendable {
    package let id: MachineID
    package let name: String
    package let written: Date?
    package let seen: Replica.Seen

    package init(_ file: SyncFile) {
      (id, name, written) = (file.state.machine, file.name, file.written)
      seen = file.state.replica.seen
    }
  }

  package struct Contents: Sendable {
    package var machines: [Machine] = []
    /// The knowledge of all machines together, without the own file.
    package var known = Replica()
    package var faults: [String] = []
    package var omissions: [String] = []
    package var own: SyncFile?

    package init() {}

    /// True if the own file has changes that the home does not remember: the home was copied, or
    /// brought back from a backup, and another may write that file.
    package func isAhead(of state: SyncState) -> Bool {
      guard let own = own?.state, own.machine == state.machine else { return false }
      return own.replica.seen[own.machine, default: 0]
        > state.replica.seen[own.machine, default: 0]
    }

    package init(_ file: SyncFile, from name: String) { take(file, from: name) }

    fileprivate mutating func take(_ file: SyncFile, from name: String) {
      machines.append(Machine(file))
      omissions += file.omissions.map { "\(name): \($0)" }
      var replica = file.state.replica
      if !file.omissions.isEmpty { replica.seen = [:] }
      if known.registers.isEmpty, known.seen.isEmpty {
        known = replica
      } else {
        known.merge(replica)
      }
    }
  }

  /// Reads the files for a machine, which may have none there yet.
  package func read(for machine: MachineID?, _ intake: SyncIntake) throws -> Contents {
    let folder = try SharedFolder(path)
    var (contents, intake) = (Contents(), intake)
    let machines = try folder.names().compactMap(Self.machine).sorted()
    if machines.count > Self.maximumMachines {
      contents.faults.append("\(path) has files of more than \(Self.maximumMachines) machines")
    }
    // The smallest files are read first, so that a large one keeps no other from being read.
    let others = try machines.filter { $0 != machine }.map { id in
      (id, try folder.status(Self.file(of: id))?.size ?? 0)
    }
    var room = Self.maximumSize
    for (id, size) in others.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }).prefix(
      Self.maximumMachines
    ) {
      do {
        room -= size
        guard room >= 0 else {
          throw StorageError.refused(
            "\(path)/\(Self.file(of: id)): all files are larger than \(Self.maximumSize) bytes"
          )
        }
        try readOther(id, in: folder, &intake, &contents)
      } catch {
        contents.faults.append("\(error)")
      }
    }
    do {
      if let machine { contents.own = try file(of: machine, in: folder, intake) }
    } catch {
      contents.faults.append("\(error)")
    }
    contents.machines.sort { $0.id < $1.id }
    return contents
  }

  private func file(
    of id: MachineID,
    in folder: SharedFolder,
    _ intake: SyncIntake,
  ) throws -> SyncFile? {
    let name = Self.file(of: id)
    guard let bytes = try folder.bytes(name, atMost: SyncFile.maximumSize) else { return nil }
    let path = "\(path)/\(name)"
    let file = try SyncFile(bytes, from: path, intake)
    guard file.state.machine == id else {
      throw StorageError.damaged(path: path, reason: "it is of another machine than its name says")
    }
    return file
  }

  private func readOther(
    _ id: MachineID,
    in folder: SharedFolder,
    _ intake: inout SyncIntake,
    _ contents: inout Contents,
  ) throws {
    guard let file = try file(of: id, in: folder, intake) else { return }
    let path = "\(path)/\(Self.file(of: id))"
    let (seen, new) = (contents.known.seen, file.state.replica.seen)
    guard seen.count + new.keys.count(where: { seen[$0] == nil }) <= Self.maximumSeen else {
      throw StorageError.damaged(path: path, reason: "with it there are too many machines")
    }
    contents.take(file, from: path)
    intake.known = contents.known.registers
  }

  package static func latest(on date: Date) -> UInt64 {
    SyncStamp.time(of: date.addingTimeInterval(farthest))
  }

  private static func file(of machine: MachineID) -> String { "news-\(machine).plist" }

  fileprivate func save(_ bytes: [UInt8], of machine: MachineID) throws {
    try SharedFolder(path).replace(Self.file(of: machine), by: bytes)
  }

  /// Returns nil for any other name, such as those that sync engines give to copies: they are of a
  /// machine that writes its own file again.
  private static func machine(_ name: String) -> MachineID? {
    guard name.hasPrefix("news-"), name.hasSuffix(".plist") else { return nil }
    return MachineID(String(name.dropFirst(5).dropLast(6)))
  }
}

package struct SyncSaving: Sendable {
  package let file: SyncFile
  /// False if the state is saved already.
  package let isNew: Bool
  package let folder: SyncFolder?
  /// The changes that stay recorded; nil if the record is the same.
  package let recorded: RecordedChanges?

  package init(
    _ file: SyncFile,
    isNew: Bool,
    in folder: SyncFolder?,
    recorded: RecordedChanges?,
  ) {
    (self.file, self.isNew, self.folder) = (file, isNew, folder)
    self.recorded = recorded
  }
}

extension LibraryStore {
  private var syncPath: String { path(.sync) }

  package func syncState() throws -> SyncState? {
    try SyncFile(path: syncPath)?.state
  }

  /// Saves the state after what was merged.
  ///
  /// The record is emptied afterwards: what was taken from it is skipped by its time
  /// (`SyncState.taken`).
  func save(_ sync: SyncSaving) throws {
    if sync.isNew { try AtomicFile(path: syncPath).replace(sync.file.bytes(isShared: false)) }
    if let recorded = sync.recorded { try historyFile().tell(recorded) }
    try sync.folder?.save(sync.file.bytes(isShared: true), of: sync.file.state.machine)
  }
}
