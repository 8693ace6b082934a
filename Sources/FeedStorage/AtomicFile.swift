/// A file that is replaced as a whole: who reads it sees the old version or the new one.
///
/// The protocol: a new file in the same folder under a fixed name (the caller holds the store's
/// lock, so that a name left behind by a killed writer can be taken over), everything written and
/// synchronized, renamed over the old one, the folder synchronized. On any error the old file is
/// as it was. A symbolic link is followed and stays a link.
struct AtomicFile {
  let path: String

  /// Replaces the file by what `body` writes.
  func replace(
    _ body: ((UnsafeRawBufferPointer) throws(StorageError) -> Void) throws(StorageError) -> Void
  ) throws(StorageError) {
    let target = try SystemCalls.resolvingLinks(path)
    let name = SystemCalls.name(of: target)
    let folder = try SystemCalls.openFolder(SystemCalls.folder(of: target))
    let old = try SystemCalls.openForReading(target)?.1
    let temporary = ".\(name).new"
    try SystemCalls.remove(temporary, in: folder)
    do throws(StorageError) {
      let file = try SystemCalls.create(temporary, in: folder)
      try body { bytes throws(StorageError) in try SystemCalls.write(bytes, to: file) }
      try SystemCalls.adopt(old, for: file)
      try SystemCalls.synchronize(file)
      try file.close()
      try SystemCalls.rename(temporary, to: name, in: folder)
    } catch {
      // The first error is the one to tell; a name that stays is taken over by the next writer.
      try? SystemCalls.remove(temporary, in: folder)
      throw error
    }
    try SystemCalls.synchronize(folder)
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
    let folder = try SystemCalls.openFolder(SystemCalls.folder(of: target))
    try SystemCalls.remove(SystemCalls.name(of: target), in: folder)
    try SystemCalls.synchronize(folder)
    return true
  }
}
