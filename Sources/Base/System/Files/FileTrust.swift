/// The rule about which files may name a program to run, which is ssh(1)'s for its own files.
///
/// Who can write such a file, or put another in its place, would run what he likes as this user.
package enum FileTrust {
  private static let maximumLinks = 40

  /// Returns the reason not to run a file's commands; nil where there is none, and where no file
  /// is.
  ///
  /// The file and all folders above it must be the user's or root's, and nobody else may write to
  /// them; links on the way count, too. Others may write to a folder above (`/tmp`) where its
  /// sticky bit keeps them from replacing what is the user's, but not to the file's own folder:
  /// they could make files there that are still missing.
  package static func refusal(_ path: String) -> String? {
    var rest: [Substring] = path.split(separator: "/").reversed()
    var (folder, links) = ("", 0)
    if let reason = refusal("/", isAbove: !rest.isEmpty).reason { return reason }
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
        continue
      }
      let entry = "\(folder)/\(name)"
      let (reason, kind) = refusal(entry, isAbove: rest.count > 1)
      guard reason == nil, let kind else { return reason }
      if kind == .link {
        links += 1
        guard links <= maximumLinks, let target = POSIX.linkTarget(entry) else {
          return "\(entry) is a link that leads nowhere"
        }
        if target.hasPrefix("/") { folder = "" }
        rest += target.split(separator: "/").reversed()
      } else {
        folder = entry
      }
    }
    return nil
  }

  private static func refusal(
    _ path: String,
    isAbove: Bool,
  ) -> (reason: String?, kind: FileStatus.Kind?) {
    guard let status = FileStatus(at: path, followingLinks: false) else { return (nil, nil) }
    // Root is whoever has the topmost folder: a user's processes can have numbers of users of their
    // own, as in a unit of systemd.
    let isRoots =
      status.owner == 0 || isAbove && status.owner == FileStatus(at: "/")?.owner
    guard isRoots || status.owner == geteuid() else {
      return ("\(path) belongs to another user", status.kind)
    }
    let isKept = isAbove && status.kind == .folder && status.mode & mode_t(S_ISVTX) != 0
    guard status.kind == .link || isKept || status.mode & 0o022 == 0 else {
      return ("others can write to \(path) (chmod go-w)", status.kind)
    }
    return (nil, status.kind)
  }
}
