internal import System

/// A file that is replaced as a whole: who reads it sees the old version or the new one.
///
/// The protocol: a new file in the same folder under a fixed name (the caller holds the store's
/// lock, so that a name left behind by a killed writer can be taken over), everything written and
/// synchronized, renamed over the old one, the folder synchronized. On any error the old file is
/// as it was. A symbolic link is followed and stays a link.
struct AtomicFile {
  let path: String

  /// Replaces the file by what `body` writes.
  ///
  /// `source` is the file that the new content was made from. A program that takes no lock may have
  /// changed it since; then it is left as that program wanted it, and an error is thrown. `last` is
  /// done when all is ready but the renaming.
  func replace(
    madeFrom source: FileStatus? = nil,
    after last: () throws(StorageError) -> Void = {},
    _ body: ((UnsafeRawBufferPointer) throws(StorageError) -> Void) throws(StorageError) -> Void,
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

  /// Writes the new version beside the old one, and brings it to the disk.
  func prepare(
    _ body: ((UnsafeRawBufferPointer) throws(StorageError) -> Void) throws(StorageError) -> Void
  ) throws(StorageError) -> PreparedFile {
    let target = try SystemCalls.resolvingLinks(path)
    let folder = try SystemCalls.openFolder(FilePath.folder(of: target))
    let old = try SystemCalls.openForReading(target)?.1
    try checkOwner(old)
    let new = PreparedFile(target: target, folder: folder)
    try SystemCalls.remove(new.temporary, in: folder)
    do throws(StorageError) {
      let file = try SystemCalls.create(new.temporary, in: folder)
      let writer = PieceWriter(file)
      defer { writer.end() }
      try body { bytes throws(StorageError) in try writer.write(bytes) }
      try writer.finish()
      try SystemCalls.adopt(old, for: file)
      try SystemCalls.synchronize(file)
      try file.close()
    } catch {
      new.discard()
      throw error
    }
    return new
  }

  /// Another user's file would become ours by being replaced.
  func checkOwner(_ old: FileStatus?) throws(StorageError) {
    guard let old, old.owner != geteuid(), geteuid() != 0 else { return }
    throw .system(action: "replace", path: path, reason: "it belongs to another user")
  }

  private func checkUnchanged(
    _ target: String,
    since source: FileStatus,
  ) throws(StorageError) {
    let now = try SystemCalls.openForReading(target)?.1
    guard let now, now.isSameFile(as: source), now.size == source.size,
      now.changed == source.changed
    else {
      throw .system(action: "replace", path: path, reason: "another program changed it meanwhile")
    }
  }

  func replace(
    _ bytes: [UInt8],
    after last: () throws(StorageError) -> Void = {},
  ) throws(StorageError) {
    try replace(after: last) { write throws(StorageError) in try Self.pass(bytes, to: write) }
  }

  static func pass(
    _ bytes: [UInt8],
    to write: (UnsafeRawBufferPointer) throws(StorageError) -> Void,
  ) throws(StorageError) {
    try bytes.span.bytes.withUnsafeBytes { all throws(StorageError) in try write(all) }
  }

  /// Deletes the file (where a link leads, not the link); whether there was one.
  @discardableResult
  func delete() throws(StorageError) -> Bool {
    let target = try SystemCalls.resolvingLinks(path)
    guard try SystemCalls.openForReading(target) != nil else { return false }
    let folder = try SystemCalls.openFolder(FilePath.folder(of: target))
    try SystemCalls.remove(FilePath.name(of: target), in: folder)
    try SystemCalls.synchronize(folder)
    return true
  }
}

/// The new version of a file, whole and on the disk, under a name of its own.
struct PreparedFile {
  let target: String
  let folder: SystemCalls.Descriptor

  var temporary: String { ".\(FilePath.name(of: target)).new" }

  func commit() throws(StorageError) {
    do throws(StorageError) {
      try SystemCalls.rename(temporary, to: FilePath.name(of: target), in: folder)
    } catch {
      discard()
      throw error
    }
    try SystemCalls.synchronize(folder)
  }

  func discard() {
    // There is an error to tell already; a name that stays is taken over by the next writer.
    try? SystemCalls.remove(temporary, in: folder)
  }
}
