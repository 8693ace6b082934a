import TestSupport

/// A file that holds a file system, to be mounted as a disk whose power can be cut.
///
/// It is mounted in a `MountNamespace`: a process that has copied the mount table would keep the
/// dead file system alive after its unmounting, and the next mount of the image would be the dead
/// one.
struct DiskImage: Sendable {
  let kind: Kind
  let path: String

  enum Kind: String, Sendable {
    case ext4, xfs

    /// True if this user may mount such an image on this machine.
    ///
    /// True also without the program that makes one: the test is to fail then.
    var isMountable: Bool {
      guard let folder = try? TemporaryFolder(),
        let image = try? DiskImage(self, path: folder.path("image"))
      else { return true }
      let mount = Result {
        try MountNamespace.run { try image.mounted(at: folder.path("disk")).unmount() }
      }
      return (try? mount.get()) != nil
    }

    /// The script that makes the file system in the smallest file that it takes.
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
      // The copy has the same UUID as a file system that may be mounted.
      case .xfs: "nouuid"
      }
    }
  }

  init(_ kind: Kind, path: String) throws {
    self.kind = kind
    self.path = path
    try Shell.run(kind.program, [path])
  }

  init(copying other: DiskImage, to path: String) throws {
    kind = other.kind
    self.path = path
    // Some loop device may still have the old file, which is not written over.
    removeTree(path)
    _ = try Subprocess.run(["cp", "--sparse=always", other.path, path])
  }

  func mounted(at place: String) throws -> MountedFileSystem {
    try MountedFileSystem(["-t", kind.rawValue, "-o", "loop,\(kind.options)", path], at: place)
  }
}
