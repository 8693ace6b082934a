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
  /// changed it since; then it is left as that program wanted it, and an error is thrown.
  func replace(
    madeFrom source: SystemCalls.Status? = nil,
    _ body: ((UnsafeRawBufferPointer) throws(StorageError) -> Void) throws(StorageError) -> Void,
  ) throws(StorageError) {
    let target = try SystemCalls.resolvingLinks(path)
    let folder = try SystemCalls.openFolder(FilePath.folder(of: target))
    let old = try SystemCalls.openForReading(target)?.1
    try checkOwner(old)
    let temporary = ".\(FilePath.name(of: target)).new"
    try SystemCalls.remove(temporary, in: folder)
    do throws(StorageError) {
      let file = try SystemCalls.create(temporary, in: folder)
      try body { bytes throws(StorageError) in try SystemCalls.write(bytes, to: file) }
      try SystemCalls.adopt(old, for: file)
      try SystemCalls.synchronize(file)
      try file.close()
      if let source { try checkUnchanged(target, since: source) }
      try SystemCalls.rename(temporary, to: FilePath.name(of: target), in: folder)
    } catch {
      // The first error is the one to tell; a name that stays is taken over by the next writer.
      try? SystemCalls.remove(temporary, in: folder)
      throw error
    }
    try SystemCalls.synchronize(folder)
  }

  /// Another user's file would become ours by being replaced.
  func checkOwner(_ old: SystemCalls.Status?) throws(StorageError) {
    guard let old, old.owner != SystemCalls.user, !SystemCalls.isSuperuser else { return }
    throw .system(action: "replace", path: path, reason: "it belongs to another user")
  }

  private func checkUnchanged(
    _ target: String,
    since source: SystemCalls.Status,
  ) throws(StorageError) {
    let now = try SystemCalls.openForReading(target)?.1
    guard let now, now.inode == source.inode, now.device == source.device,
      now.size == source.size, now.changed == source.changed
    else {
      throw .system(action: "replace", path: path, reason: "another program changed it meanwhile")
    }
  }

  func replace(_ bytes: [UInt8]) throws(StorageError) {
    try replace { write throws(StorageError) in
      let result = bytes.withUnsafeBytes { all -> Result<Void, StorageError> in
        do throws(StorageError) { return .success(try write(all)) } catch { return .failure(error) }
      }
      try result.get()
    }
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
