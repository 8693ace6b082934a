import FeedModel
import System

extension LibraryStore {
  /// The names of a file of the list in this home: its own, there or not, or those that match it.
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

  /// Reads a stored file from beginning to end, and throws what is wrong with it.
  ///
  /// - Returns: the number of stories, feeds, runs, rules or numbers in it; 0 for a file without
  ///   such, nil for another kind of file.
  package func examine(_ name: String) throws -> Int? {
    switch name {
    case _ where name.hasPrefix("newsdata.plist"):
      guard let (reader, status) = try Self.reader(path(name)) else { return 0 }
      let items = try ItemTable(reader, path: path(name), status: status)
      for position in 0..<items.count { _ = try items.item(at: position) }
      return items.count
    case "feeds.plist":
      return try SubscriptionsFile(path: subscriptionsPath).read().subscriptions.count
    case "ledger.plist", RunLedger.recentName: return try RunLedger(store: self).runs(in: name)
    case "rules.plist": return try rules().count
    case "outlines.plist":
      _ = try readOutlines()
      return 0
    case "history.plist":
      let steps = try history().steps
      for step in steps {
        guard let cleared = try stories(clearedBy: step) else { continue }
        for position in 0..<cleared.count { _ = try cleared.item(at: position) }
      }
      return steps.count
    case "habits.plist":
      _ = try habits()
      return 0
    case "notified.plist":
      _ = try lastNotice()
      return 0
    case "sync.plist": return try syncState()?.replica.registers.count ?? 0
    case "changes.plist":
      guard let changes = recordedChanges() else {
        throw StorageError.damaged(
          path: path(name),
          reason: "what it says of changes is not understood",
        )
      }
      return changes.count
    case "places.plist": return try syncRemotes().count
    case "sites.plist":
      _ = try storedSiteKey()
      return 0
    case "serving.plist":
      _ = try servingAccount()
      return 0
    case "browse.plist":
      _ = try browsePlace()
      return 0
    case _ where name.hasPrefix("sync-"):
      return try ServerFile.file(path(name)).read()?.items.count ?? 0
    default: return nil
    }
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
    guard let file = try? OpenFile.reading(path("lock"))?.0 else { return nil }
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
