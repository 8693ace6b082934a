internal import CConfinement
internal import Synchronization

/// The rights of a process that has given up all others.
///
/// That is done before it reads what strangers wrote. Landlock (landlock(7), Linux 5.13) follows
/// the real file: a link out of a folder leads to nothing that the folder's rules allow. Files that
/// are open stay so. Besides, no program is run, no signal sent to another process, no port listened
/// on, no file written that is not open, only the system calls made that reading needs, and root is a
/// user like others. Nothing is ever given back.
package struct Confinement: Sendable {
  /// Files, and folders with all below them; missing ones are left out.
  package var readable: [String] = []
  package var devices: [String] = []
  package var cage = Cage.offline

  package enum Cage: Sendable {
    /// The process opens no sockets, and talks by the descriptors that it was given.
    case offline
    case online
    /// The process opens no sockets, and answers connections to the one that it was given.
    case serving
  }

  package enum Wall: Hashable, Sendable {
    case on(String)
    case off(reason: String)
  }

  package struct Outcome: Hashable, Sendable {
    package let landlock: Wall
    /// The wall around system calls.
    package let seccomp: Wall

    package var words: (on: [String], off: [String]) {
      let walls = [landlock, seccomp]
      return (
        walls.compactMap { if case .on(let name) = $0 { name } else { nil } },
        walls.compactMap { if case .off(let reason) = $0 { reason } else { nil } },
      )
    }
  }

  package static let systemFolders = [
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
    "/run/current-system",
  ]

  package init() {}

  /// Confines this thread and all that it starts; to be called before there are other threads.
  ///
  /// Started programs get no more rights than it has, even without Landlock. Either wall stands
  /// without the other.
  package func begin() -> Outcome {
    _ = cconfinement_set_no_new_privileges()
    // Root's capabilities lead around both walls, by reading other processes' memory for one.
    _ = cconfinement_drop_capabilities()
    let list = files()
    // The filter comes first: once the files are out of reach, the calls are, too.
    let seccomp = filter()
    return Outcome(landlock: restrict(to: list), seccomp: seccomp)
  }

  private func files() -> Int32? {
    let list = cconfinement_begin(limits)
    guard list >= 0 else { return nil }
    let rules = [(readable, CCONFINEMENT_READ), (devices, CCONFINEMENT_DEVICE)]
    for (paths, access) in rules {
      // A path that cannot be allowed is reported by whatever needs it.
      for path in paths { _ = cconfinement_allow(list, path, access) }
    }
    return list
  }

  private var limits: UInt32 {
    let always = CCONFINEMENT_NO_BIND.rawValue | CCONFINEMENT_NO_SIGNALS.rawValue
    return cage == .online ? always : always | CCONFINEMENT_NO_CONNECT.rawValue
  }

  static let lacksFilter = "there is no filter of calls for this system"

  private func filter() -> Wall {
    guard cconfinement_filter(cage.number) else {
      return .off(reason: "\(Self.lacksFilter): \(POSIX.errorMessage(errno))")
    }
    return .on("seccomp")
  }

  private func restrict(to list: Int32?) -> Wall {
    let version = cconfinement_landlock_version()
    guard version > 0 else { return .off(reason: "this system has no Landlock") }
    guard let list, cconfinement_restrict(list) else {
      return .off(reason: POSIX.errorMessage(errno))
    }
    Self.isClosed.withLock { $0 = true }
    return .on("Landlock \(version)")
  }

  /// True where files can no longer be made.
  private static let isClosed = Mutex(false)

  /// Opens a nameless file for reading and writing, which programs do not inherit; -1 on failure.
  package static func openUnnamedFile() -> Int32 {
    guard !isClosed.withLock(\.self), let file = tmpfile() else { return -1 }
    defer { fclose(file) }
    return fcntl(fileno(file), F_DUPFD_CLOEXEC, 0)
  }

  /// Opens a nameless file for little data, in memory where the system can do that.
  static func openShortFile() -> Int32 {
    let file = cconfinement_memory_file()
    return file >= 0 ? file : openUnnamedFile()
  }
}

extension Confinement.Cage {
  fileprivate var number: cconfinement_cage {
    switch self {
    case .offline: CCONFINEMENT_OFFLINE
    case .online: CCONFINEMENT_ONLINE
    case .serving: CCONFINEMENT_SERVING
    }
  }
}
