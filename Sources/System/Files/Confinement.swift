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

  package enum Outcome: Hashable, Sendable {
    /// The version of Landlock.
    case on(Int)
    case off(reason: String)
  }

  package init() {}

  /// Gives the rest away, for this thread and all that it starts: to be called before there are others.
  ///
  /// No program that it starts could have more rights than it has, be there Landlock or not.
  package func begin() -> Outcome {
    _ = cconfinement_set_no_new_privileges()
    let version = Int(cconfinement_landlock_version())
    guard version > 0 else { return .off(reason: "this system has no Landlock") }
    let list = cconfinement_begin()
    guard list >= 0 else { return .off(reason: POSIX.errorMessage(errno)) }
    let rules = [
      (readable, CCONFINEMENT_READ), (writable, CCONFINEMENT_WRITE),
      (devices, CCONFINEMENT_DEVICE),
    ]
    for (paths, access) in rules {
      // What cannot be allowed is told by what needs it.
      for path in paths { _ = cconfinement_allow(list, path, access) }
    }
    guard cconfinement_restrict(list) else { return .off(reason: POSIX.errorMessage(errno)) }
    Self.unnamedFiles.withLock { $0 = .some(temporaryFolder) }
    return .on(version)
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
