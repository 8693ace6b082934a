internal import System

/// A file that is replaced as a whole, and that nobody misses when the machine loses it.
///
/// Nobody waits for the disk, nor for the store's lock: the new file has a fixed name and a lock of
/// its own, held for the microseconds between its first byte and its renaming. A name that a killed
/// writer left behind is taken over.
struct UnsyncedFile {
  let path: String

  func replace(_ bytes: [UInt8]) throws(StorageError) {
    let target = try SystemCalls.resolvingLinks(path)
    let folder = try SystemCalls.openFolder(FilePath.folder(of: target))
    try FileLock.checkIsPrivate(try SystemCalls.status(of: folder), folder.path)
    let there = try SystemCalls.openForReading(target)
    let old = there?.1
    try AtomicFile(path: path).checkOwner(old)
    // The same list again is the usual case, and a file system's renaming takes a tenth of a list.
    if let there, try Self.holds(bytes, there) { return }
    let temporary = ".\(FilePath.name(of: target)).draft"
    let file = try claim(temporary, in: folder)
    do throws(StorageError) {
      try SystemCalls.write(bytes, to: file)
      try SystemCalls.adopt(old, for: file)
      try SystemCalls.rename(temporary, to: FilePath.name(of: target), in: folder)
    } catch {
      // The first error is the one to tell; a name that stays is taken over by the next writer.
      try? SystemCalls.remove(temporary, in: folder)
      throw error
    }
    try file.close()
  }

  private static func holds(
    _ bytes: [UInt8],
    _ old: (file: SystemCalls.Descriptor, status: FileStatus),
  ) throws(StorageError) -> Bool {
    guard old.status.size == bytes.count else { return false }
    let held = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { held.deallocate() }
    try SystemCalls.fill(held, from: old.file, at: 0)
    return held.elementsEqual(bytes)
  }

  /// An empty file of that name, locked.
  private func claim(
    _ name: String,
    in folder: SystemCalls.Descriptor,
  ) throws(StorageError) -> SystemCalls.Descriptor {
    let end = ContinuousClock.now + .seconds(1)
    while true {
      let file = try SystemCalls.openDraft(name, in: folder)
      // Whoever held the lock has renamed the file meanwhile: then this one is no draft any more.
      if try SystemCalls.tryLock(file), try SystemCalls.isNamed(name, file, in: folder) {
        try SystemCalls.empty(file)
        return file
      }
      guard ContinuousClock.now < end else {
        throw .locked(path: file.path, holder: "another list", seconds: 1)
      }
      SystemCalls.pause(.microseconds(100))
    }
  }
}
