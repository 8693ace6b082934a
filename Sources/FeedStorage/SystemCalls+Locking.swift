#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Locks, and what is told of who holds them.
extension SystemCalls {
  static func openLock(_ path: String) throws(StorageError) -> Descriptor {
    try opened(
      path,
      "open",
      retrying { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) },
    )
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

  static var processIdentifier: Int32 { getpid() }

  /// Whether there is such a process, of whichever user.
  static func isRunning(_ process: Int32) -> Bool {
    process > 0 && (kill(process, 0) == 0 || errno == EPERM)
  }

  static var isSuperuser: Bool { geteuid() == 0 }
  static var user: UInt32 { geteuid() }
}
