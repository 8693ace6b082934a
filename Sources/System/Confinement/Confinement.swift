internal import CConfinement
internal import Synchronization

/// The files that a process keeps within its reach when it gives all others away, before it reads what
/// strangers wrote.
///
/// Landlock (landlock(7), Linux 5.13) follows the real file: a link out of a folder leads to nothing
/// that the folder's rules allow. Files that are open stay so. Nothing can be executed, and nothing is
/// ever given back.
package struct Confinement: Sendable {
  /// Files, and folders with all that is below them; what is not there is left out.
  package var readable: [String] = []
  package var writable: [String] = []
  package var devices: [String] = []
  /// Where files without a name are made from now on; without it they are none.
  package var temporaryFolder: String?
  /// What else is given up than files; nil: nothing.
  package var cage: Cage?

  /// In a cage, no program is run, no signal sent to another process, no port listened on, no file
  /// written but what is open, of the system only that is asked which reading needs, and root is a
  /// user like others.
  package enum Cage: Sendable {
    /// No socket is opened: what it talks by was given to it.
    case offline
    /// It connects to servers.
    case online
  }

  /// A wall around a process.
  package enum Wall: Hashable, Sendable {
    /// With the name and version of what it is made of.
    case on(String)
    case off(reason: String)
  }

  package struct Outcome: Hashable, Sendable {
    /// Around files.
    package let landlock: Wall
    /// Around the system's calls; nil where no cage was asked for.
    package let seccomp: Wall?

    package init(landlock: Wall, seccomp: Wall? = nil) {
      (self.landlock, self.seccomp) = (landlock, seccomp)
    }

    /// The names of the walls that stand, and why others do not.
    package var words: (on: [String], off: [String]) {
      let walls = [landlock, seccomp].compactMap(\.self)
      return (
        walls.compactMap { if case .on(let name) = $0 { name } else { nil } },
        walls.compactMap { if case .off(let reason) = $0 { reason } else { nil } },
      )
    }
  }

  /// Folders of the system with its programs and libraries.
  package static let systemFolders = [
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
    "/run/current-system",
  ]

  package init() {}

  /// Gives the rest away, for this thread and all that it starts: to be called before there are others.
  ///
  /// No program that it starts could have more rights than it has, be there Landlock or not. Either wall
  /// stands without the other one.
  package func begin() -> Outcome {
    _ = cconfinement_set_no_new_privileges()
    // Root's would be ways around both walls, such as reading what other processes have in memory.
    if cage != nil { _ = cconfinement_drop_capabilities() }
    let list = files()
    // From the moment that the files are closed, the calls are: whoever waits for it has neither.
    let seccomp = cage.map { SystemCallFilter.reading(online: $0 == .online).apply() }
    return Outcome(landlock: restrict(to: list), seccomp: seccomp)
  }

  /// The list of what may be done with files, and whom else it keeps away from; nil, with `errno`, where
  /// that cannot be had.
  private func files() -> Int32? {
    let list = cconfinement_begin(limits)
    guard list >= 0 else { return nil }
    let rules = [
      (readable, CCONFINEMENT_READ), (writable, CCONFINEMENT_WRITE),
      (devices, CCONFINEMENT_DEVICE),
    ]
    for (paths, access) in rules {
      // What cannot be allowed is told by what needs it.
      for path in paths { _ = cconfinement_allow(list, path, access) }
    }
    return list
  }

  private var limits: UInt32 {
    let always = CCONFINEMENT_NO_BIND.rawValue | CCONFINEMENT_NO_SIGNALS.rawValue
    return switch cage {
    case nil: 0
    case .online: always
    case .offline: always | CCONFINEMENT_NO_CONNECT.rawValue
    }
  }

  private func restrict(to list: Int32?) -> Wall {
    let version = cconfinement_landlock_version()
    guard version > 0 else { return .off(reason: "this system has no Landlock") }
    guard let list, cconfinement_restrict(list) else {
      return .off(reason: POSIX.errorMessage(errno))
    }
    Self.unnamedFiles.withLock { $0 = .some(temporaryFolder) }
    return .on("Landlock \(version)")
  }

  /// Where files without a name go: nil where the system says, and nowhere in it for memory alone.
  private static let unnamedFiles = Mutex<String??>(nil)

  /// A file without a name, open for reading and writing, which programs do not inherit; -1 where it
  /// cannot be had.
  package static func openUnnamedFile() -> Int32 {
    switch unnamedFiles.withLock(\.self) {
    case .some(let folder?): return cconfinement_unnamed_file(folder)
    case .some(nil): return -1
    case nil:
      guard let file = tmpfile() else { return -1 }
      defer { fclose(file) }
      return fcntl(fileno(file), F_DUPFD_CLOEXEC, 0)
    }
  }

  /// The same for what is short, in memory where the system can do that.
  static func openShortFile() -> Int32 {
    let file = cconfinement_memory_file()
    return file >= 0 ? file : openUnnamedFile()
  }
}
