import System

extension LibraryStore {
  /// Returns the name of a file that is one, there or not, or the names of those that are there.
  package func names(of file: StoreFile) throws -> [String] {
    file.isOne ? [file.name] : try names(beginning: "").filter(file.isCalled)
  }

  /// The home itself, or the file of that name; nil if there is none.
  package func homeFile(_ name: String? = nil) throws -> HomeFile? {
    let path = name.map(path) ?? home
    // A link may stand for every file but a lock, on which its users must agree.
    guard let status = FileStatus(at: path, followingLinks: name?.hasSuffix("lock") != true) else {
      if errno == ENOENT { return nil }
      throw StorageError.failed("examine", path)
    }
    return HomeFile(
      path: path,
      isFolder: status.kind == .folder,
      kind: status.kind == .file ? nil : status.kind.rawValue,
      mode: Int(status.mode),
      isOurs: status.owner == geteuid(),
      bytes: status.size,
    )
  }

  func examineStories(_ name: String) throws -> Int {
    guard let (reader, status) = try Self.reader(path(name)) else { return 0 }
    return try examine(ItemTable(reader, path: path(name), status: status))
  }

  func examineHistory() throws -> Int {
    let steps = try history().steps
    try checkRecordedChanges()
    for step in steps { _ = try stories(clearedBy: step).map(examine) }
    return steps.count
  }

  private func examine(_ items: ItemTable) throws -> Int {
    for position in 0..<items.count { _ = try items.item(at: position) }
    return items.count
  }

  package func examineListings() throws -> Int {
    try ListingFolder(store: self).count()
  }

  /// Names of files that killed writers left behind, and of the records of runs that earlier
  /// versions kept.
  package func leftovers() throws -> [String] {
    try names(beginning: ".").filter { $0.hasSuffix(".new") } + names(beginning: "running.")
  }

  func names(beginning prefix: String) throws -> [String] {
    guard let names = POSIX.names(inFolder: home) else {
      throw StorageError.failed("open the folder", home)
    }
    return names.filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// The process that holds the store's lock; nil if none does, or none that says so.
  package func writer() -> Int32? {
    guard let file = try? OpenFile.reading(path(.lock))?.0 else { return nil }
    return FileLock.holder(of: file)
  }

  package func freeBytes() -> Int? { POSIX.space(at: home)?.free }

  /// Writes a file under the lock as a command would, and removes it again.
  ///
  /// - Throws: `.locked` when another writer took longer than `limit`, or the reason why nothing
  ///   can be saved.
  package func tryWriting(waitAtMost limit: Duration) throws {
    try locked(waitAtMost: limit) {
      let folder = try OpenFile.folder(home)
      let name = ".doctor.new"
      try folder.remove(name)
      do {
        let file = try folder.create(name)
        try file.write([UInt8](repeating: 0, count: 4096))
        try file.synchronize()
        try file.close()
      } catch {
        // The next try takes over a file that cannot be removed.
        try? folder.remove(name)
        throw error
      }
      try folder.remove(name)
      try folder.synchronize()
    }
  }
}
