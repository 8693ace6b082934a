internal import System

/// A folder of files for others to read, such as a web site: only what has changed is written, and
/// what somebody else put there is never touched.
///
/// A marker in the folder lists the files that are ours. A name is added to it before its file is
/// made, so that what a killed writer leaves behind is known as ours; the files of the last time that
/// were not written again go at the end. No symbolic link below the folder is followed.
package final class SiteFolder {
  package enum Outcome: Hashable, Sendable {
    case written
    case unchanged
    /// There is a file of somebody else's under this name; it stays.
    case refused
  }

  /// What the site is known by for as long as its marker is there.
  package let id: String

  private let path: String
  private let folder: OpenFile
  private var folders: [String: OpenFile] = [:]
  private var marker: OpenFile?
  /// Names that the marker has.
  private var owned: Set<String>
  private var wanted: Set<String> = []

  private static let markerName = ".news-publish"
  private static let temporaryName = ".news-publish.new"
  private static let firstLine = "news publish 1"
  private static let maximumMarkerBytes = 64 << 20

  /// Opens the folder, or makes it; one with files in it must have a marker.
  ///
  /// `id`, a line, is what a new site is to be known by.
  package init(_ path: String, id: String) throws(StorageError) {
    self.path = path
    guard POSIX.retrying({ mkdir(path, 0o777) }) == 0 || errno == EEXIST else {
      throw .failed("create the folder", path)
    }
    folder = try OpenFile.folder(path)
    guard try folder.tryLock(orUnlockable: true) else {
      throw .refused("another news is publishing into \(path)")
    }
    if let (file, _) = try folder.reading(Self.markerName) {
      let bytes = try file.readAll(limit: Self.maximumMarkerBytes)
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard lines.count > 2, lines[0] == Self.firstLine else {
        throw .damaged(path: file.path, reason: "it is no list of a site's files")
      }
      self.id = lines[1]
      owned = Set(lines[2...].filter(Self.isName))
    } else {
      guard let names = POSIX.names(inFolder: path) else { throw .failed("open the folder", path) }
      guard names.allSatisfy({ [".", "..", Self.temporaryName].contains($0) }) else {
        throw .refused("\(path) is not empty, and no site of news: name a new folder")
      }
      self.id = id
      owned = []
      try replace(Self.markerName, in: folder, by: list)
    }
  }

  /// As `RefreshTurn.end`.
  deinit {
    folder.unlock()
  }

  /// Puts a file in its place, unless it is there already; its name is as `index.html` or
  /// `day/index.html`.
  package func write(_ name: String, _ bytes: [UInt8]) throws(StorageError) -> Outcome {
    precondition(Self.isName(name), "the site has a file named \(name)")
    let (folder, last) = try place(name)
    if let old = FileStatus(at: last, in: folder.number, followingLinks: false) {
      guard owned.contains(name), old.kind == .file else { return .refused }
      wanted.insert(name)
      if let (file, status) = try folder.reading(last), try file.holds(bytes, status) {
        return .unchanged
      }
    }
    wanted.insert(name)
    try claim(name)
    try replace(last, in: folder, by: bytes)
    return .written
  }

  /// Removes what was written in earlier times alone, and gives how many files that were.
  package func finish() throws(StorageError) -> Int {
    let unwanted = owned.subtracting(wanted)
    var removed = 0
    for name in unwanted.sorted() {
      let (folder, last) = try place(name)
      let kind = FileStatus(at: last, in: folder.number, followingLinks: false)?.kind
      guard kind == .file else { continue }
      try folder.remove(last)
      removed += 1
    }
    if !unwanted.isEmpty || marker != nil {
      owned = wanted
      try replace(Self.markerName, in: folder, by: list)
    }
    return removed
  }

  private var list: [UInt8] {
    Array(([Self.firstLine, id] + owned.sorted()).joined(separator: "\n").utf8) + [0x0A]
  }

  private func claim(_ name: String) throws(StorageError) {
    guard owned.insert(name).inserted else { return }
    if marker == nil { marker = try folder.appending(Self.markerName) }
    try marker?.write(Array("\(name)\n".utf8))
  }

  private func replace(
    _ name: String,
    in folder: OpenFile,
    by bytes: [UInt8],
  ) throws(StorageError) {
    let file = try folder.createPublic(Self.temporaryName)
    do throws(StorageError) {
      try file.write(bytes)
      try file.close()
      try folder.rename(Self.temporaryName, to: name)
    } catch {
      // There is an error to tell already.
      try? folder.remove(Self.temporaryName)
      throw error
    }
  }

  private func place(_ name: String) throws(StorageError) -> (folder: OpenFile, last: String) {
    guard let slash = name.firstIndex(of: "/") else { return (folder, name) }
    let last = String(name[name.index(after: slash)...])
    let above = String(name[..<slash])
    if let known = folders[above] { return (known, last) }
    let opened = try folder.publicFolder(above)
    folders[above] = opened
    return (opened, last)
  }

  /// Whether a name is one that a site of ours can have: a list that somebody has changed must not
  /// lead out of the folder.
  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in
        guard let first = part.utf8.first, first != UInt8(ascii: "."), part.utf8.count <= 200 else {
          return false
        }
        return part.utf8.allSatisfy {
          $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
      }
  }
}

extension OpenFile {
  /// A new file that others may read, where the user's umask lets them; in place of one that a killed
  /// writer left behind.
  fileprivate func createPublic(_ name: String) throws(StorageError) -> OpenFile {
    try remove(name)
    return try create(name, O_WRONLY | O_EXCL, mode: 0o666)
  }

  /// A file that is only added to, made where there is none.
  fileprivate func appending(_ name: String) throws(StorageError) -> OpenFile {
    let file = try create(name, O_WRONLY | O_APPEND | O_NONBLOCK, mode: 0o666)
    _ = try file.fileStatus()
    return file
  }

  /// A folder in this one that is no symbolic link, made where there is none, for others to read.
  fileprivate func publicFolder(_ name: String) throws(StorageError) -> OpenFile {
    let place = "\(path)/\(name)"
    guard POSIX.retrying({ mkdirat(number, name, 0o777) }) == 0 || errno == EEXIST else {
      throw .failed("create the folder", place)
    }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    let folder = POSIX.retrying { openat(number, name, flags) }
    return try OpenFile(folder, place, to: "open the folder")
  }

  /// A regular file in this folder that is no symbolic link; nil where there is none.
  fileprivate func reading(_ name: String) throws(StorageError) -> (OpenFile, FileStatus)? {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW
    let file = POSIX.retrying { openat(number, name, flags) }
    if file < 0, errno == ENOENT { return nil }
    let open = try OpenFile(file, "\(path)/\(name)")
    return (open, try open.fileStatus())
  }

  /// A file without a name, which goes with its descriptor.
  static func unnamed(in path: String) throws(StorageError) -> OpenFile {
    let folder = try folder(path)
    let name = ".fetched.new"
    // Left by a process that was stopped between the next two calls.
    try folder.remove(name)
    let file = try folder.create(name, O_RDWR | O_EXCL)
    try folder.remove(name)
    return file
  }
}
