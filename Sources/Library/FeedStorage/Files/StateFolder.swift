internal import System

/// A folder for what is no data of a home: the numbers of lists, and the place in the table view.
///
/// Its link `home` names the one home whose it is, so that all processes agree, whatever options and
/// variables they have. It is made when a new home is; every other home keeps these files itself. The
/// locks stay in the home: two processes with different variables would not see each other's.
package struct StateFolder: Sendable {
  let path: String
  /// True where a home that is made now may have the folder.
  let isForNewHome: Bool

  package init(path: String, isForNewHome: Bool) {
    (self.path, self.isForNewHome) = (path, isForNewHome)
  }

  private var link: String { "\(path)/home" }

  func belongs(to home: String) -> Bool { POSIX.linkTarget(link) == home }

  /// Makes the folder that of a home which is not there yet; where that fails, the home has all.
  func take(for home: String) {
    guard isForNewHome, FileStatus(at: home, followingLinks: false) == nil, errno == ENOENT,
      (try? OpenFile.makeFolder(path)) != nil
    else { return }
    _ = symlink(home, link)
  }
}
