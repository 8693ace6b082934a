internal import System

/// A file that is replaced as a whole: a reader sees the old version or the new one.
///
/// The protocol: a new file in the same folder under a fixed name (the caller holds the store's
/// lock, so that a name left behind by a killed writer can be taken over), everything written and
/// synchronized, renamed over the old one, the folder synchronized. On any error the old file is as
/// it was. A symbolic link is followed and stays a link.
package struct AtomicFile {
  typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  let path: String
  private let number: Number?

  /// The number of the next version, where another file may name it.
  enum Number {
    /// The next one of the old file's, or of this where there is none.
    case following(FileVersion)
    case exactly(FileVersion)
  }

  package init(path: String) { self.init(path: path, nil) }

  init(path: String, _ number: Number?) { (self.path, self.number) = (path, number) }

  /// Replaces the file by what `body` writes.
  ///
  /// `source` is the file that the new content was made from. If a program that takes no lock has
  /// changed it since, it is left as that program wanted it, and an error is thrown. `last` is done
  /// when only the renaming is left.
  func replace(
    madeFrom source: FileStatus? = nil,
    after last: () throws -> Void = {},
    _ body: (Sink) throws -> Void,
  ) throws {
    let new = try prepare(body)
    do {
      if let source { try checkUnchanged(new.target, since: source) }
      try last()
    } catch {
      new.discard()
      throw error
    }
    try new.commit()
  }

  func replace(_ bytes: [UInt8], mode: mode_t? = nil) throws {
    try prepare(mode: mode) { try Self.write(bytes, to: $0) }.commit()
  }

  /// Replaces the file by one that others may read if the user's umask lets them.
  package func publish(_ bytes: [UInt8]) throws { try replace(bytes, mode: 0o666) }

  package func replaceMakingFolder(_ bytes: [UInt8]) throws {
    try OpenFile.makeFolder(FilePath.folder(of: path))
    try replace(bytes)
  }

  func prepare(mode: mode_t? = nil, _ body: (Sink) throws -> Void) throws -> PreparedFile {
    let new = try PreparedFile(of: path, suffix: "new")
    let old = try OpenFile.reading(new.target)
    let version: FileVersion? =
      switch number {
      case .following(let other): try old.map(FileVersion.init)?.next ?? other.next
      case .exactly(let version): version
      case nil: nil
      }
    try new.write(over: old?.1, mode: mode, version, body)
    return new
  }

  static func write(_ bytes: [UInt8], to write: Sink) throws {
    try bytes.span.bytes.withUnsafeBytes { all in try write(all) }
  }

  private func checkUnchanged(_ target: String, since source: FileStatus) throws {
    let now = try OpenFile.reading(target)?.1
    guard let now, now.isSameFile(as: source), now.size == source.size,
      now.modified == source.modified
    else {
      throw StorageError.system(
        action: "replace",
        path: path,
        reason: "another program changed it meanwhile",
      )
    }
  }

  /// Deletes the file; if the path is a link, the file to which it leads.
  func delete() throws {
    let target = try OpenFile.resolvingLinks(path)
    guard try OpenFile.reading(target) != nil else { return }
    let folder = try OpenFile.folder(FilePath.folder(of: target))
    try folder.remove(FilePath.name(of: target))
    try folder.synchronize()
  }
}

extension AtomicFile {
  /// Replaces a file that may be lost by what `make` returns, without waiting for the disk or the
  /// store's lock.
  ///
  /// The new file has a fixed name and a lock of its own, held from before the old one is read
  /// until its renaming. A name that a killed writer left behind is taken over.
  func replaceUnsynced(_ make: () throws -> [UInt8]) throws {
    let new = try PreparedFile(of: path, suffix: "draft")
    try FileLock.checkIsPrivate(try new.folder.status(), new.folder.path)
    let old = try OpenFile.reading(new.target)
    try new.checkOwner(old?.1)
    // An unchanged list is the usual case, and renaming takes a tenth of the time of a list.
    if let old, try old.0.holds(make(), old.1) { return }
    let file = try Self.claim(new)
    do {
      try file.write(try make())
      try file.adopt(old?.1)
    } catch {
      new.discard()
      throw error
    }
    try new.rename()
    try file.close()
  }

  private static func claim(_ new: PreparedFile) throws -> OpenFile {
    let end = ContinuousClock.now + .seconds(1)
    while true {
      let file = try new.folder.draft(new.temporary)
      // The former holder of the lock has renamed the file: it is no draft any more.
      if try file.tryLock(), try new.folder.has(file, named: new.temporary) {
        try file.empty()
        return file
      }
      guard ContinuousClock.now < end else {
        throw StorageError.locked(path: file.path, holder: "another list", seconds: 1)
      }
      POSIX.pause(.microseconds(100))
    }
  }
}

struct PreparedFile {
  let folder: OpenFile
  let temporary: String
  private let name: String

  /// The path for messages, after the user's own links.
  var target: String { "\(folder.path)/\(name)" }

  init(of path: String, suffix: String) throws {
    let target = try OpenFile.resolvingLinks(path)
    name = FilePath.name(of: target)
    folder = try OpenFile.folder(FilePath.folder(of: target))
    temporary = ".\(name).\(suffix)"
  }

  init(_ name: String, in folder: OpenFile, as temporary: String) {
    (self.name, self.folder, self.temporary) = (name, folder, temporary)
  }

  /// Writes the new version, and brings it to the disk.
  ///
  /// Without `mode`, the owner and mode of `old` stay.
  func write(
    over old: FileStatus?,
    mode: mode_t? = nil,
    _ version: FileVersion? = nil,
    _ body: (AtomicFile.Sink) throws -> Void,
  ) throws {
    try checkOwner(old)
    try folder.remove(temporary)
    do {
      let file = try folder.create(temporary, O_WRONLY | O_EXCL, mode: mode ?? 0o600)
      let writer = PieceWriter(file)
      defer { writer.end() }
      try body { bytes in try writer.write(bytes) }
      try writer.finish()
      if let version { try file.write(version.bytes, at: FileVersion.offset(in: writer.size)) }
      if mode == nil { try file.adopt(old) }
      try file.synchronize()
      try file.close()
    } catch {
      discard()
      throw error
    }
  }

  func write(_ bytes: [UInt8], over old: FileStatus?, mode: mode_t? = nil) throws {
    try write(over: old, mode: mode) { write in
      try AtomicFile.write(bytes, to: write)
    }
  }

  /// Throws for another user's file, which would become ours by being replaced.
  func checkOwner(_ old: FileStatus?) throws {
    guard let old, old.owner != geteuid(), geteuid() != 0 else { return }
    throw StorageError.system(
      action: "replace",
      path: target,
      reason: "it belongs to another user",
    )
  }

  func commit() throws {
    try rename()
    try folder.synchronize()
  }

  func rename() throws {
    do {
      try folder.rename(temporary, to: name)
    } catch {
      discard()
      throw error
    }
  }

  func discard() {
    // An error is thrown already, and the next writer takes over a name that stays.
    try? folder.remove(temporary)
  }
}
