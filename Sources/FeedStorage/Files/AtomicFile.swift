internal import System

/// A file that is replaced as a whole: who reads it sees the old version or the new one.
///
/// The protocol: a new file in the same folder under a fixed name (the caller holds the store's
/// lock, so that a name left behind by a killed writer can be taken over), everything written and
/// synchronized, renamed over the old one, the folder synchronized. On any error the old file is
/// as it was. A symbolic link is followed and stays a link.
package struct AtomicFile {
  typealias Sink = (UnsafeRawBufferPointer) throws(StorageError) -> Void

  let path: String

  package init(path: String) {
    self.path = path
  }

  /// Replaces the file by what `body` writes.
  ///
  /// `source` is the file that the new content was made from. A program that takes no lock may have
  /// changed it since; then it is left as that program wanted it, and an error is thrown. `last` is
  /// done when all is ready but the renaming.
  func replace(
    madeFrom source: FileStatus? = nil,
    after last: () throws(StorageError) -> Void = {},
    _ body: (Sink) throws(StorageError) -> Void,
  ) throws(StorageError) {
    let new = try prepare(body)
    do throws(StorageError) {
      if let source { try checkUnchanged(new.target, since: source) }
      try last()
    } catch {
      new.discard()
      throw error
    }
    try new.commit()
  }

  /// The mode of the old one stays where there is no `mode`.
  func replace(_ bytes: [UInt8], mode: mode_t? = nil) throws(StorageError) {
    let new = try PreparedFile(of: path, suffix: "new")
    try new.write(bytes, over: try OpenFile.reading(new.target)?.1, mode: mode)
    try new.commit()
  }

  /// The same, for others to read where the user's umask lets them.
  package func publish(_ bytes: [UInt8]) throws(StorageError) { try replace(bytes, mode: 0o666) }

  /// The same, with the folders above it made where there are none.
  package func place(_ bytes: [UInt8]) throws(StorageError) {
    try OpenFile.makeFolder(FilePath.folder(of: path))
    try replace(bytes)
  }

  /// Writes the new version beside the old one, and brings it to the disk.
  func prepare(_ body: (Sink) throws(StorageError) -> Void) throws(StorageError) -> PreparedFile {
    let new = try PreparedFile(of: path, suffix: "new")
    try new.write(over: try OpenFile.reading(new.target)?.1, body)
    return new
  }

  static func pass(_ bytes: [UInt8], to write: Sink) throws(StorageError) {
    try bytes.span.bytes.withUnsafeBytes { all throws(StorageError) in try write(all) }
  }

  private func checkUnchanged(
    _ target: String,
    since source: FileStatus,
  ) throws(StorageError) {
    let now = try OpenFile.reading(target)?.1
    guard let now, now.isSameFile(as: source), now.size == source.size,
      now.modified == source.modified
    else {
      throw .system(action: "replace", path: path, reason: "another program changed it meanwhile")
    }
  }

  /// Deletes the file (where a link leads, not the link).
  func delete() throws(StorageError) {
    let target = try OpenFile.resolvingLinks(path)
    guard try OpenFile.reading(target) != nil else { return }
    let folder = try OpenFile.folder(FilePath.folder(of: target))
    try folder.remove(FilePath.name(of: target))
    try folder.synchronize()
  }
}

/// Files that nobody misses when the machine loses them.
extension AtomicFile {
  /// Replaces the file by what `make` makes of it, without waiting for the disk, nor for the store's
  /// lock.
  ///
  /// The new file has a fixed name and a lock of its own, held from before the old one is read for
  /// it to its renaming. A name that a killed writer left behind is taken over.
  func replaceUnsynced(_ make: () throws(StorageError) -> [UInt8]) throws(StorageError) {
    let new = try PreparedFile(of: path, suffix: "draft")
    try FileLock.checkIsPrivate(try new.folder.status(), new.folder.path)
    let old = try OpenFile.reading(new.target)
    try new.checkOwner(old?.1)
    // The same list again is the usual case, and a file system's renaming takes a tenth of a list.
    if let old, try old.0.retryTimes(make(), old.1) { return }
    let file = try Self.claim(new)
    do throws(StorageError) {
      try file.write(try make())
      try file.adopt(old?.1)
    } catch {
      new.discard()
      throw error
    }
    try new.rename()
    try file.close()
  }

  /// An empty draft, locked.
  private static func claim(_ new: PreparedFile) throws(StorageError) -> OpenFile {
    let end = ContinuousClock.now + .seconds(1)
    while true {
      let file = try new.folder.draft(new.temporary)
      // Whoever held the lock has renamed the file meanwhile: then this one is no draft any more.
      if try file.tryLock(), try new.folder.has(file, named: new.temporary) {
        try file.empty()
        return file
      }
      guard ContinuousClock.now < end else {
        throw .locked(path: file.path, holder: "another list", seconds: 1)
      }
      POSIX.pause(.microseconds(100))
    }
  }
}

/// The new version of a file under a name of its own.
struct PreparedFile {
  let folder: OpenFile
  let temporary: String
  private let name: String

  /// For messages, and what the user's own links lead to.
  var target: String { "\(folder.path)/\(name)" }

  init(of path: String, suffix: String) throws(StorageError) {
    let target = try OpenFile.resolvingLinks(path)
    name = FilePath.name(of: target)
    folder = try OpenFile.folder(FilePath.folder(of: target))
    temporary = ".\(name).\(suffix)"
  }

  init(_ name: String, in folder: OpenFile, as temporary: String) {
    (self.name, self.folder, self.temporary) = (name, folder, temporary)
  }

  /// Writes it in place of `old`, whose owner and mode stay where there is no `mode`, and brings it to the
  /// disk.
  func write(
    over old: FileStatus?,
    mode: mode_t? = nil,
    _ body: (AtomicFile.Sink) throws(StorageError) -> Void,
  ) throws(StorageError) {
    try checkOwner(old)
    try folder.remove(temporary)
    do throws(StorageError) {
      let file = try folder.create(temporary, O_WRONLY | O_EXCL, mode: mode ?? 0o600)
      let writer = PieceWriter(file)
      defer { writer.end() }
      try body { bytes throws(StorageError) in try writer.write(bytes) }
      try writer.finish()
      if mode == nil { try file.adopt(old) }
      try file.synchronize()
      try file.close()
    } catch {
      discard()
      throw error
    }
  }

  func write(
    _ bytes: [UInt8],
    over old: FileStatus?,
    mode: mode_t? = nil,
  ) throws(StorageError) {
    try write(over: old, mode: mode) { write throws(StorageError) in
      try AtomicFile.pass(bytes, to: write)
    }
  }

  /// Another user's file would become ours by being replaced.
  func checkOwner(_ old: FileStatus?) throws(StorageError) {
    guard let old, old.owner != geteuid(), geteuid() != 0 else { return }
    throw .system(action: "replace", path: target, reason: "it belongs to another user")
  }

  /// Puts it, which is whole and on the disk, in place of the old one for good.
  func commit() throws(StorageError) {
    try rename()
    try folder.synchronize()
  }

  func rename() throws(StorageError) {
    do throws(StorageError) {
      try folder.rename(temporary, to: name)
    } catch {
      discard()
      throw error
    }
  }

  func discard() {
    // There is an error to tell already; a name that stays is taken over by the next writer.
    try? folder.remove(temporary)
  }
}
