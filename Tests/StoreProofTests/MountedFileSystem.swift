import TestSupport

/// A file system of a test's own, mounted until the last reference to it is gone.
final class MountedFileSystem {
  let path: String
  private var isMounted = true

  /// Mounts a file system.
  ///
  /// - Parameters:
  ///   - arguments: of `mount`, without the path.
  ///   - path: the folder, which is made if need be.
  /// - Throws: the complaint of `mount`.
  init(_ arguments: [String], at path: String) throws {
    self.path = path
    try makeFolder(path)
    let mount = try Subprocess.run(["mount"] + arguments + [path])
    guard mount.status == 0 else { throw Shell.Failure(description: mount.errorText) }
  }

  static let isAllowed: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? MountedFileSystem(["-t", "tmpfs", "tmpfs"], at: folder.path("disk"))) != nil
  }()

  func unmount() throws {
    guard isMounted else { return }
    isMounted = false
    // A program that another test starts at this moment holds for a moment what is open here.
    try Shell.run("for try in $(seq 200); do umount \"$0\" && exit 0; done; exit 1", [path])
  }

  deinit {
    guard isMounted else { return }
    // A file system that stays mounted cannot be helped.
    _ = try? Shell.run("umount -l \"$0\"", [path])
  }
}
