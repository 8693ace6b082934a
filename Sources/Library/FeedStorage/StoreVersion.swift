internal import System

/// The versions of some files of a home, which differ after each save.
package struct StoreVersion: Hashable, Sendable {
  private let files: [Int]

  /// Reads the versions of the files of stories and of subscriptions.
  package init(of store: LibraryStore) {
    self.init([.stories, .feeds].map(store.path))
  }

  /// Reads the versions of the folders of whole texts, in which no file is ever changed.
  package init(ofTexts store: LibraryStore) {
    self.init([.texts, .articles].map(store.path))
  }

  /// Reads the versions of the other files that a sync reads.
  package init(ofSync store: LibraryStore) {
    self.init([.sync, .history, .rules].map(store.path))
  }

  private init(_ paths: [String]) {
    files = paths.flatMap { path in
      guard let status = FileStatus(at: path) else { return [0, 0, 0] }
      return [Int(truncatingIfNeeded: status.inode), status.size, status.modified]
    }
  }
}
