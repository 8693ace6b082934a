internal import System

package final class StoreWatch {
  private let store: LibraryStore
  private let watch: FolderWatch

  package init(_ store: LibraryStore) throws {
    guard let watch = FolderWatch() else { throw StorageError.failed("watch", store.home) }
    (self.store, self.watch) = (store, watch)
    try watchFolders()
  }

  /// A descriptor that is readable when something may have changed.
  package var descriptor: Int32 { watch.descriptor }

  package var hasChanges: Bool { POSIX.wait(on: [descriptor], until: .now) == [true] }

  /// Returns true when something may have changed since the last time, or before; false when nobody
  /// reads `output` any more.
  package func wait(orClosed output: Int32) throws -> Bool {
    var ready = [false, false]
    while ready == [false, false] {
      ready = POSIX.wait(on: [descriptor], orClosed: output, until: nil)
    }
    guard !ready[1] else { return false }
    try takeChanges()
    return true
  }

  package func takeChanges() throws {
    watch.forget()
    try watchFolders()
  }

  /// Watches folders until all that exist are watched, since they may come, go and be replaced at
  /// any time.
  private func watchFolders() throws {
    var watched: [String] = []
    while true {
      let folders = try folders()
      if folders == watched { return }
      for folder in folders where !watch.add(folder) {
        // The folders above need not be readable.
        guard [ENOENT, ENOTDIR].contains(errno) || (errno == EACCES && folder != store.home) else {
          throw StorageError.failed("watch", folder)
        }
      }
      watched = folders
    }
  }

  /// The home, and the folder to which the data file is a link.
  ///
  /// Of a missing folder, the nearest one above that exists is watched. The folder above each comes
  /// first: it tells when another takes its place.
  private func folders() throws -> [String] {
    let data = FilePath.folder(of: try OpenFile.resolvingLinks(store.dataPath))
    return [store.home, data].flatMap { path in
      var path = path
      while FileStatus(at: path)?.kind != .folder, path != "/", path != "." {
        path = FilePath.folder(of: path)
      }
      return [FilePath.folder(of: path), path]
    }
  }
}
