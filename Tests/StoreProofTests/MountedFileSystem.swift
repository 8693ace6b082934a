import TestSupport

/// A file system of a test's own, mounted until the last reference to it is gone.
final class MountedFileSystem {
  let path: String
  private var isMounted = true

  /// nil where this machine or this user may not mount.
  init?(_ arguments: [String], at path: String) throws {
    self.path = path
    let shell = ["sh", "-c", "mkdir -p \"$0\" && exec \"$@\"", path, "mount"] + arguments + [path]
    let result = try Subprocess.run(shell)
    guard result.status == 0 else {
      isMounted = false
      return nil
    }
  }

  func unmount() throws {
    guard isMounted else { return }
    isMounted = false
    // A program that another test starts at this moment holds what is open here, for a moment.
    let again = "for try in $(seq 200); do umount \"$0\" && exit 0; done; exit 1"
    let result = try Subprocess.run(["sh", "-c", again, path])
    guard result.status == 0 else { throw FaultShim.ShimFailure(description: result.errorText) }
  }

  deinit {
    if isMounted { _ = try? Subprocess.run(["umount", "-l", path]) }
  }
}
