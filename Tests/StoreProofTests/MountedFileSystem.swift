import TestSupport

/// A file system of a test's own, mounted until the last reference to it is gone.
final class MountedFileSystem {
  let path: String
  private let device: String?
  private var isMounted = true

  /// - Parameters:
  ///   - arguments: of `mount`, without the path.
  ///   - device: a loop device that is let go with it.
  ///   - path: where; made if need be.
  /// - Throws: what `mount` complained of.
  init(_ arguments: [String], device: String? = nil, at path: String) throws {
    self.path = path
    self.device = device
    let mount = "mkdir -p \"$0\" && exec mount \"$@\""
    try Shell.run(mount, [path] + arguments + [path])
  }

  /// Whether this user may mount anything on this machine.
  static let isAllowed: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? MountedFileSystem(["-t", "tmpfs", "tmpfs"], at: folder.path("disk"))) != nil
  }()

  func unmount() throws {
    guard isMounted else { return }
    isMounted = false
    // A program that another test starts at this moment holds what is open here, for a moment.
    try Shell.run("for try in $(seq 200); do umount \"$0\" && exit 0; done; exit 1", [path])
    if let device { try Shell.run("losetup --detach \"$0\"", [device]) }
  }

  deinit {
    guard isMounted else { return }
    // Nothing more can be done about what does not go; a device in use goes with its last user.
    _ = try? Shell.run("umount -l \"$0\"", [path])
    if let device { _ = try? Shell.run("losetup --detach \"$0\"", [device]) }
  }
}
