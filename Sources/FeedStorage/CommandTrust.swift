internal import System

extension LibraryStore {
  /// Why no command is run that stands in the home's files; nil where they may be.
  ///
  /// As ssh(1) has it of its own: who can write such a file, or put another in its place, would run
  /// what he likes as this user. Where a link leads to the file, that file and its folder count, too.
  package func whyCommandsAreRefused() -> String? {
    for path in [subscriptionsPath, remotesPath] where FileStatus(at: path) != nil {
      let file = POSIX.resolved(path)
      let paths = [file, FilePath.folder(of: file), home]
      if let refusal = paths.lazy.compactMap(Self.whyOthersDecide).first { return refusal }
    }
    return nil
  }

  private static func whyOthersDecide(at path: String) -> String? {
    guard let status = FileStatus(at: path) else { return nil }
    guard status.owner == geteuid() || status.owner == 0 else {
      return "\(path) belongs to another user"
    }
    return status.mode & 0o022 == 0 ? nil : "others can write to \(path) (chmod go-w)"
  }
}
