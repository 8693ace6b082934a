import System

/// Locks, and what is told of who holds them.
extension SystemCalls {
  /// Opens the lock's file, or makes it; never waits for a pipe or a device in its place.
  static func openLock(_ path: String) throws(StorageError) -> Descriptor {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let number = retrying { open(path, flags, 0o600) }
    guard number >= 0 else {
      let failure = failure("open", path)
      // The system's own words for a folder, a socket or a link do not say what is there.
      throw unlockable(path) ?? failure
    }
    let file = try opened(path, "open", number)
    let status = try status(of: file)
    guard status.kind == .file else { throw .notAFile(path: path, kind: status.kind.rawValue) }
    return file
  }

  /// What stands at a path in place of a file; nil where it is one, or nothing.
  private static func unlockable(_ path: String) -> StorageError? {
    guard let kind = FileStatus(at: path, followingLinks: false)?.kind, kind != .file else {
      return nil
    }
    return .notAFile(path: path, kind: kind.rawValue)
  }

  /// Whether the lock could be had at once; the kernel takes it back when the process ends.
  static func tryLock(_ file: Descriptor) throws(StorageError) -> Bool {
    if retrying({ flock(file.number, LOCK_EX | LOCK_NB) }) == 0 { return true }
    guard errno == EWOULDBLOCK else { throw failure("lock", file.path) }
    return false
  }

  /// The same for a folder; one that cannot be locked, as on NFS, counts as locked.
  static func tryLock(folder: Descriptor) throws(StorageError) -> Bool {
    if retrying({ flock(folder.number, LOCK_EX | LOCK_NB) }) == 0 { return true }
    if [EBADF, EINVAL, ENOLCK, EOPNOTSUPP].contains(errno) { return true }
    guard errno == EWOULDBLOCK else { throw failure("lock", folder.path) }
    return false
  }

  // MARK: Drafts

  /// Opens a file to be written and renamed, or makes it; never waits for a pipe in its place.
  static func openDraft(_ name: String, in folder: Descriptor) throws(StorageError) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = try opened(
      "\(folder.path)/\(name)",
      "create",
      retrying { openat(folder.number, name, flags, 0o600) },
    )
    let status = try status(of: file)
    guard status.kind == .file else {
      throw .notAFile(path: file.path, kind: status.kind.rawValue)
    }
    return file
  }

  /// Whether a name is still that of an open file.
  static func isNamed(
    _ name: String,
    _ file: Descriptor,
    in folder: Descriptor,
  ) throws(StorageError) -> Bool {
    let own = try status(of: file)
    let named = FileStatus(at: name, in: folder.number, followingLinks: false)
    return named?.isSameFile(as: own) ?? false
  }

  static func empty(_ file: Descriptor) throws(StorageError) {
    guard retrying({ ftruncate(file.number, 0) }) == 0 else { throw failure("write", file.path) }
  }

  // MARK: Notes

  /// Overwrites what a lock file says of its holder.
  static func note(_ text: String, in file: Descriptor) {
    // Only for the message of those who wait: a failure harms nothing.
    _ = ftruncate(file.number, 0)
    _ = Array(text.utf8).withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
  }

  static func readNote(in file: Descriptor) -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = max(pread(file.number, &bytes, bytes.count, 0), 0)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  static func pause(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }

  /// Whether there is such a process, of whichever user.
  static func isRunning(_ process: Int32) -> Bool {
    process > 0 && (kill(process, 0) == 0 || errno == EPERM)
  }
}
