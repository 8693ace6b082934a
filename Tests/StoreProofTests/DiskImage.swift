import TestSupport

/// A file that holds a file system, to be mounted as a disk whose power can be cut.
///
/// To be mounted in a `MountNamespace`: a process that has copied the mount table would keep the dead
/// file system alive behind its unmounting, and the next mount of the image would be the dead one.
struct DiskImage: Sendable {
  let kind: Kind
  let path: String

  enum Kind: String, Sendable {
    case ext4, xfs

    /// Whether this machine lets this user mount such an image.
    ///
    /// True where the program that makes one is missing: that is for the test to complain of.
    var isMountable: Bool {
      guard let folder = try? TemporaryFolder(),
        let image = try? DiskImage(self, path: folder.path("image"))
      else { return true }
      let mount = Result {
        try MountNamespace.run { try image.mounted(at: folder.path("disk")).unmount() }
      }
      return (try? mount.get()) != nil
    }

    /// The least file that each takes, and what makes the file system in it.
    fileprivate var program: String {
      switch self {
      case .ext4: "truncate -s 16M \"$0\" && mkfs.ext4 -q -O ^metadata_csum \"$0\""
      case .xfs: "truncate -s 300M \"$0\" && mkfs.xfs -q \"$0\""
      }
    }

    fileprivate var options: String {
      switch self {
      // auto_da_alloc would hide a missing fsync of the file.
      case .ext4: "noauto_da_alloc"
      // A copy is the same file system a second time.
      case .xfs: "nouuid"
      }
    }
  }

  /// Makes an empty one.
  init(_ kind: Kind, path: String) throws {
    self.kind = kind
    self.path = path
    try Shell.run(kind.program, [path])
  }

  /// Copies one that is not mounted.
  init(copying other: DiskImage, to path: String) throws {
    kind = other.kind
    self.path = path
    // Never over a file that some loop device may still have.
    removeTree(path)
    _ = try Subprocess.run(["cp", "--sparse=always", other.path, path])
  }

  func mounted(at place: String) throws -> MountedFileSystem {
    try MountedFileSystem(["-t", kind.rawValue, "-o", "loop,\(kind.options)", path], at: place)
  }
}
