internal import System

/// The versions of files of a home: others when something was saved.
package struct StoreVersion: Hashable, Sendable {
  private let files: [Int]

  /// Of the stories' and the subscriptions' files.
  package init(of store: LibraryStore) {
    self.init([store.dataPath, store.subscriptionsPath])
  }

  /// Of the folders of whole texts, in which no file is written to.
  package init(ofTexts store: LibraryStore) {
    self.init(["texts", "articles"].map(store.path))
  }

  /// Of the other files that a sync reads.
  package init(ofSync store: LibraryStore) {
    self.init([store.path("sync.plist"), store.changesFile.path, store.path("rules.plist")])
  }

  private init(_ paths: [String]) {
    files = paths.flatMap { path in
      guard let status = FileStatus(at: path) else { return [0, 0, 0] }
      return [Int(truncatingIfNeeded: status.inode), status.size, status.modified]
    }
  }
}
