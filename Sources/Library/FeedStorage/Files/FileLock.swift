internal import System

/// The turn to ask all feeds: one run has it at a time, until it ends it.
///
/// Unlike the store's lock it is held across the network, and nobody waits for it.
package struct RefreshTurn {
  /// True if another run has it; false also if nothing can be locked.
  package let isTaken: Bool
  package let process: Int32?
  private let file: OpenFile?

  fileprivate init(_ path: String) {
    file = try? OpenFile.lock(path)
    isTaken = file.map { (try? $0.tryLock(orUnlockable: true)) == false } ?? false
    process = isTaken ? file.flatMap(FileLock.holder) : nil
  }

  /// Leaves this process's number to other runs.
  ///
  /// To be called by a run that asks a feed, since one that asks none writes nothing.
  package func noteHolder() {
    if !isTaken { file?.write(note: FileLock.noteOfThisProcess) }
  }

  /// Lets the next run have it, even while a program that this process is just starting has a copy of
  /// the descriptor.
  package func end() {
    if !isTaken { file?.unlock() }
  }
}

extension LibraryStore {
  package func takeTurn() -> RefreshTurn {
    RefreshTurn(path(.fetchLock))
  }
}

/// The address at which `news serve` answers from a home, for as long as the value lives.
package struct ServedAddress {
  private let file: OpenFile

  /// Notes an address; nil where another process answers already, or nothing can be locked.
  package init?(_ url: String, of store: LibraryStore) {
    guard let file = try? OpenFile.lock(store.path(.serveLock)), (try? file.tryLock()) == true
    else { return nil }
    self.file = file
    file.write(note: url)
  }

  /// Returns the address at which a home is served now; nil for none.
  package static func current(in store: LibraryStore) -> String? {
    let path = store.path(.serveLock)
    guard FileStatus(at: path) != nil, let file = try? OpenFile.lock(path),
      (try? file.tryLock()) == false
    else { return nil }
    return SafeText.line(file.readNote())
  }
}

extension LibraryStore {
  /// Returns true while a process holds a lock of the home.
  package func isLocked(_ name: String) -> Bool? {
    (try? OpenFile.lock(path(name)).tryLock()).map { !$0 }
  }
}

/// The store's lock: one writer at a time, in all processes.
///
/// `flock` on a file that is never deleted (deleting it would let two writers hold "the" lock). The
/// kernel releases it when its holder ends, however that ends.
struct FileLock {
  private let files: [OpenFile]

  /// Waits for the lock in the file at `path`, in growing pauses.
  ///
  /// The folders that will be written to are locked too: if a symbolic link leads out of the home,
  /// another home may lead to that file.
  ///
  /// - Throws: `.locked` with the holder after `limit`.
  static func acquire(
    _ path: String,
    folders: [String] = [],
    waitAtMost limit: Duration,
  ) throws -> FileLock {
    let end = ContinuousClock.now + limit
    let file = try OpenFile.lock(path)
    try wait(for: file, until: end, limit) {
      try file.tryLock()
    }
    file.write(note: noteOfThisProcess)
    var files = [file]
    for folder in try distinct(folders) {
      try wait(for: file, until: end, limit) {
        try folder.tryLock(orUnlockable: true)
      }
      files.append(folder)
    }
    return FileLock(files: files)
  }

  /// Removes the holder's note from the file; the lock itself goes with the last reference.
  func forgetHolder() {
    if let file = files.first { file.write(note: "") }
  }

  /// Opens the folders, each once, in an order that is the same for all writers.
  private static func distinct(_ paths: [String]) throws -> [OpenFile] {
    var found: [(status: FileStatus, folder: OpenFile)] = []
    for path in Set(paths) {
      let folder = try OpenFile.folder(path)
      let status = try folder.status()
      try checkIsPrivate(status, path)
      if !found.contains(where: { $0.status.isSameFile(as: status) }) {
        found.append((status, folder))
      }
    }
    return found.sorted {
      ($0.status.device, $0.status.inode) < ($1.status.device, $1.status.inode)
    }.map(\.folder)
  }

  /// Throws for a folder that everybody may write to, and that has no sticky bit: anybody could
  /// replace its files.
  static func checkIsPrivate(_ folder: FileStatus, _ path: String) throws {
    guard folder.mode & 0o1002 != 0o002 else {
      throw StorageError.refused(
        "everybody may write to the folder \(path): nothing is saved there"
      )
    }
  }

  private static func wait(
    for file: OpenFile,
    until end: ContinuousClock.Instant,
    _ limit: Duration,
    _ isLocked: () throws -> Bool,
  ) throws {
    var pause = Duration.milliseconds(1)
    while try !isLocked() {
      let rest = ContinuousClock.now.duration(to: end)
      guard rest > .zero else {
        throw StorageError.locked(
          path: file.path,
          holder: holder(of: file).map { noted + String($0) } ?? "an unknown process",
          seconds: Int(limit.components.seconds),
        )
      }
      POSIX.pause(min(pause, rest))
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  private static let noted = "process "
  static var noteOfThisProcess: String { "\(noted)\(getpid())" }

  /// The process that wrote the file's note last, if it still runs.
  ///
  /// Another program than `news` may hold the lock, and writes no note.
  static func holder(of file: OpenFile) -> Int32? {
    let note = file.readNote()
    guard note.hasPrefix(noted), let process = Int32(note.dropFirst(noted.count)),
      POSIX.isRunning(process)
    else { return nil }
    return process
  }
}
