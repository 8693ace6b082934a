/// The store's lock: one writer at a time, in all processes.
///
/// `flock` on a file that is never deleted (deleting it would let two writers hold "the" lock). The
/// kernel releases it when its holder ends, however that ends.
struct FileLock {
  private let file: SystemCalls.Descriptor

  /// Waits for the lock, in growing pauses.
  ///
  /// - Throws: `.locked` with who holds it after `limit`.
  static func acquire(_ path: String, waitAtMost limit: Duration) throws(StorageError) -> FileLock {
    let file = try SystemCalls.openLock(path)
    let start = ContinuousClock.now
    var pause = 1
    while try !SystemCalls.tryLock(file) {
      let waited = ContinuousClock.now - start
      guard waited < limit else {
        let holder = SystemCalls.readNote(in: file)
        throw .locked(
          path: path,
          holder: holder.isEmpty ? "unknown process" : holder,
          seconds: Int(waited.components.seconds),
        )
      }
      SystemCalls.pause(milliseconds: pause)
      pause = min(2 * pause, 50)
    }
    SystemCalls.note("process \(SystemCalls.processIdentifier)", in: file)
    return FileLock(file: file)
  }
}
