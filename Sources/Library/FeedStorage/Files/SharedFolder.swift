internal import System

/// A folder that others write to: one that machines share, one of downloads, a published site.
///
/// Every name is looked up in the open folder, and no link is followed: a link, a pipe, or whatever
/// else is no plain file is refused by name. The folder itself may be a link, since the user named
/// it.
final class SharedFolder {
  let path: String
  private let folder: OpenFile

  init(_ path: String) throws {
    (self.path, folder) = (path, try OpenFile.folder(path))
  }

  private init(_ folder: OpenFile) {
    (path, self.folder) = (folder.path, folder)
  }

  func folder(_ name: String) throws -> SharedFolder? {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    let plain = try plain(name)
    let number = POSIX.retrying { openat(folder.number, plain, flags) }
    if number < 0 {
      let code = errno
      if code == ENOENT { return nil }
      if let kind = try status(name)?.kind, kind != .folder {
        throw StorageError.refused("\(path)/\(name) is \(kind.rawValue), not a folder")
      }
      throw StorageError.failed("open the folder", "\(path)/\(name)", code)
    }
    return SharedFolder(try OpenFile(number, "\(path)/\(name)"))
  }

  /// Opens a folder in this one, or makes it; others may read it if the user's umask lets them.
  func makeFolder(_ name: String) throws -> SharedFolder {
    let plain = try plain(name)
    let isMade = POSIX.retrying { mkdirat(folder.number, plain, 0o777) } == 0
    guard isMade || errno == EEXIST, let made = try folder(name) else {
      throw StorageError.failed("create the folder", "\(path)/\(name)")
    }
    return made
  }

  /// Opens the folder of a path below this one, and returns it with the path's last name; nil if
  /// the folder is not there.
  func parent(
    of path: String,
    makingFolders: Bool = false,
  ) throws -> (folder: SharedFolder, name: String)? {
    var names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let last = names.removeLast()
    var parent = self
    for name in names {
      var next = try parent.folder(name)
      if next == nil, makingFolders {
        next = try parent.makeFolder(name)
        try parent.synchronize()
      }
      guard let next else { return nil }
      parent = next
    }
    return (parent, last)
  }

  func removeEmptyFolders(of path: String) {
    var names = path.split(separator: "/").dropLast()
    while let last = names.popLast() {
      guard let parent = try? parent(of: (names + [last]).joined(separator: "/")),
        unlinkat(parent.folder.folder.number, parent.name, AT_REMOVEDIR) == 0
      else { return }
    }
  }

  func names() throws -> [String] {
    guard let names = POSIX.names(inFolder: folder.number) else {
      throw StorageError.failed("open the folder", path)
    }
    return names
  }

  func status(_ name: String) throws -> FileStatus? {
    FileStatus(at: try plain(name), in: folder.number, followingLinks: false)
  }

  // MARK: Files

  func file(_ name: String) throws -> (OpenFile, FileStatus)? {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW
    let plain = try plain(name)
    let number = POSIX.retrying { openat(folder.number, plain, flags) }
    if number < 0, errno == ENOENT { return nil }
    let file = try opened(number, name, to: "open")
    return (file, try file.fileStatus())
  }

  func bytes(_ name: String, atMost limit: Int) throws -> [UInt8]? {
    try file(name)?.0.readAll(limit: limit)
  }

  /// Opens a plain file to append to, or creates it; others may read it if the user's umask lets
  /// them.
  ///
  /// A file with a second name, which may be any file of the user's, is refused.
  func appending(_ name: String) throws -> OpenFile {
    let flags = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW
    let plain = try plain(name)
    let number = POSIX.retrying { openat(folder.number, plain, flags, 0o666) }
    let file = try opened(number, name, to: "create")
    guard try file.fileStatus().names == 1 else {
      throw StorageError.refused(
        "\(file.path) has a second name (a hard link), and is not written to"
      )
    }
    return file
  }

  private func opened(_ number: Int32, _ name: String, to action: String) throws -> OpenFile {
    let path = "\(path)/\(name)"
    guard number < 0 else { return try OpenFile(number, path) }
    let failure = StorageError.failed(action, path)
    // The system's words for a link or a socket do not say what is there.
    guard let kind = try status(name)?.kind, kind != .file else { throw failure }
    throw StorageError.notAFile(path: path, kind: kind.rawValue)
  }

  func replace(_ name: String, by bytes: [UInt8]) throws {
    let new = PreparedFile(try plain(name), in: folder, as: ".\(name).new")
    try new.write(bytes, over: try file(name)?.1)
    try new.commit()
  }

  /// Replaces a file by one that others may read if the user's umask lets them.
  ///
  /// Its contents are on the disk then; its name is once the folder is synchronized.
  func publish(_ name: String, _ bytes: [UInt8], as temporary: String) throws {
    let new = PreparedFile(try plain(name), in: folder, as: temporary)
    try new.write(bytes, over: try file(name)?.1, mode: 0o666)
    try new.rename()
  }

  /// Renames an open file, unless its name is another file's meanwhile.
  func rename(_ file: OpenFile, from old: String, to new: String) throws {
    let (old, new) = (try plain(old), try plain(new))
    guard try folder.has(file, named: old) else {
      throw StorageError.refused("\(path)/\(old) is another file meanwhile")
    }
    try folder.rename(old, to: new)
    try synchronize()
  }

  /// Removes a plain file, which need not exist.
  func remove(_ name: String) throws {
    if let kind = try status(name)?.kind, kind != .file {
      throw StorageError.notAFile(path: "\(path)/\(name)", kind: kind.rawValue)
    }
    try folder.remove(name)
  }

  func synchronize() throws { try folder.synchronize() }

  /// Throws for a name that leads out of this folder.
  private func plain(_ name: String) throws -> String {
    guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(0x2F),
      !name.utf8.contains(0)
    else { throw StorageError.refused("\(path): \(name) is no name of a file in it") }
    return name
  }

  // MARK: The folder's lock

  func tryLock() throws -> Bool { try folder.tryLock(orUnlockable: true) }

  func lock(waitAtMost limit: Duration) throws {
    let end = ContinuousClock.now + limit
    while try !tryLock() {
      guard .now < end else {
        let seconds = Int(limit.components.seconds)
        throw StorageError.locked(path: path, holder: "an unknown process", seconds: seconds)
      }
      POSIX.pause(.milliseconds(2))
    }
  }

  func unlock() { folder.unlock() }
}
