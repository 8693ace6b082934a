internal import System

extension OpenFile {
  func rename(_ old: String, to new: String) throws {
    guard POSIX.retrying({ renameat(number, old, number, new) }) == 0 else {
      throw StorageError.failed("replace", "\(path)/\(new)")
    }
  }

  /// Removes a file, which need not exist.
  func remove(_ name: String) throws {
    guard POSIX.retrying({ unlinkat(number, name, 0) }) == 0 || errno == ENOENT else {
      throw StorageError.failed("remove", "\(path)/\(name)")
    }
  }

  func has(_ file: OpenFile, named name: String) throws -> Bool {
    let own = try file.status()
    let named = FileStatus(at: name, in: number, followingLinks: false)
    return named?.isSameFile(as: own) ?? false
  }
}

extension OpenFile {
  /// Makes a folder and those above it; folders that are there stay as they are.
  ///
  /// A new folder's name is brought to the disk: without it, what is saved in the folder would be
  /// lost.
  static func makeFolder(_ path: String) throws {
    if try isMade(path) { return }
    try makeFolder(FilePath.folder(of: path))
    guard try isMade(path) else { throw StorageError.failed("create the folder", path) }
  }

  private static func isMade(_ path: String) throws -> Bool {
    if POSIX.retrying({ mkdir(path, 0o700) }) == 0 {
      try folder(FilePath.folder(of: path)).synchronize()
      return true
    }
    if errno == EEXIST { return true }
    guard errno == ENOENT, FilePath.folder(of: path) != path else {
      throw StorageError.failed("create the folder", path)
    }
    return false
  }

  /// Returns the path to which symbolic links lead, or the path itself.
  static func resolvingLinks(_ path: String) throws -> String {
    var path = path
    for _ in 0..<40 {
      guard let target = try linkTarget(path) else { return path }
      path = target.hasPrefix("/") ? target : FilePath.folder(of: path) + "/" + target
    }
    throw StorageError.system(action: "open", path: path, reason: "too many symbolic links")
  }

  private static func linkTarget(_ path: String) throws -> String? {
    guard let target = POSIX.linkTarget(path) else {
      switch errno {
      case EINVAL, ENOENT, ENOTDIR: return nil
      case EILSEQ:
        throw StorageError.system(
          action: "open",
          path: path,
          reason: "the link's target is no usable name",
        )
      default: throw StorageError.failed("examine", path)
      }
    }
    return target
  }
}
