internal import System

/// A folder of files for others to read, such as a web site: only changed files are written, and
/// another's files are never touched.
///
/// A marker in the folder lists our files, each with a proof that this home has written it: whoever
/// else writes to the folder can name no other. A name is added before its file is made, so that
/// what a killed writer leaves behind is known as ours. Former files that were not written again
/// are removed at the end, and then all is on the disk.
package final class SiteFolder {
  package enum Outcome: Hashable, Sendable {
    case written
    case unchanged
    case refused
  }

  /// The site's id, for as long as its marker exists.
  package let id: String

  private let key: SiteKey
  private let folder: SharedFolder
  private var folders: [String: SharedFolder] = [:]
  private var marker: OpenFile?
  /// Names in the marker with a valid proof.
  private var owned: Set<String>
  private var claimed: Set<String> = []
  private var wanted: Set<String> = []

  private static let markerName = ".news-publish"
  private static let temporaryName = ".news-publish.new"
  private static let firstLine = "news publish 1"
  private static let maximumMarkerBytes = 64 << 20

  /// Opens the folder, or makes it; one with files in it must have a marker.
  ///
  /// A new site gets `id`, which is one line.
  package init(_ path: String, id: String, key: SiteKey) throws {
    if POSIX.retrying({ mkdir(path, 0o777) }) == 0 {
      try OpenFile.folder(FilePath.folder(of: path)).synchronize()
    } else if errno != EEXIST {
      throw StorageError.failed("create the folder", path)
    }
    self.key = key
    folder = try SharedFolder(path)
    guard try folder.tryLock() else {
      throw StorageError.refused("another news is publishing into \(path)")
    }
    if let bytes = try folder.bytes(Self.markerName, atMost: Self.maximumMarkerBytes) {
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      guard lines.count > 2, lines[0] == Self.firstLine else {
        throw StorageError.damaged(
          path: "\(path)/\(Self.markerName)",
          reason: "it is no list of a site's files",
        )
      }
      let id = String(lines[1])
      self.id = id
      let named = lines[2...].map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        .filter { Self.isName($0.first ?? "") }
      owned = Set(named.filter { $0.last == key.proof(of: $0[0], site: id) }.map { $0[0] })
      claimed = Set(named.map { $0[0] }).subtracting(owned)
    } else {
      let names = try folder.names()
      guard names.allSatisfy({ [".", "..", Self.temporaryName].contains($0) }) else {
        throw StorageError.refused("\(path) is not empty, and no site of news: name a new folder")
      }
      self.id = id
      owned = []
      try publish(Self.markerName, in: folder, list)
    }
  }

  /// Writes a file, unless it is unchanged; its name is like `index.html` or `day/index.html`.
  package func write(_ name: String, _ bytes: [UInt8]) throws -> Outcome {
    precondition(Self.isName(name), "the site has a file named \(name)")
    guard let (folder, last) = try place(name, makingFolders: true) else { return .refused }
    if let old = try folder.status(last) {
      guard old.kind == .file else { return .refused }
      let file = try folder.file(last)
      if let (file, status) = file, try file.holds(bytes, status) {
        // A file equal to ours may count as ours, whoever has written it.
        wanted.insert(name)
        try claim(name)
        return .unchanged
      }
      guard owned.contains(name) else { return .refused }
    }
    wanted.insert(name)
    try claim(name)
    try publish(last, in: folder, bytes)
    return .written
  }

  /// Removes former files that were not written again, and brings the folders to the disk.
  ///
  /// - Returns: the number of removed files, and the names in the marker that are another's files.
  package func finish() throws -> (removed: Int, strange: [String]) {
    let unwanted = owned.subtracting(wanted)
    var removed = 0
    for name in unwanted.sorted() {
      guard let (folder, last) = try place(name), try folder.status(last)?.kind == .file else {
        continue
      }
      try folder.remove(last)
      removed += 1
    }
    for folder in folders.values { try folder.synchronize() }
    if !unwanted.isEmpty || !claimed.isEmpty || marker != nil {
      owned = wanted
      try publish(Self.markerName, in: folder, list)
    }
    try folder.synchronize()
    return (removed, claimed.subtracting(wanted).filter(isThere).sorted())
  }

  /// Returns true if a name without proof exists; it may lead nowhere.
  private func isThere(_ name: String) -> Bool {
    guard let (folder, last) = try? place(name) else { return false }
    return (try? folder.status(last)) != nil
  }

  private var list: [UInt8] {
    let lines = [Self.firstLine, id] + owned.sorted().map(line)
    return Array(lines.joined(separator: "\n").utf8) + [0x0A]
  }

  private func line(_ name: String) -> String { "\(name) \(key.proof(of: name, site: id))" }

  private func claim(_ name: String) throws {
    guard !owned.contains(name) else { return }
    if marker == nil {
      // The new marker has only our own names, whatever the old one had.
      try publish(Self.markerName, in: folder, list)
      marker = try folder.appending(Self.markerName)
    }
    try marker?.write(Array("\(line(name))\n".utf8))
    try marker?.synchronize()
    owned.insert(name)
  }

  private func publish(_ name: String, in folder: SharedFolder, _ bytes: [UInt8]) throws {
    try folder.publish(name, bytes, as: Self.temporaryName)
  }

  private func place(
    _ name: String,
    makingFolders: Bool = false,
  ) throws -> (folder: SharedFolder, last: String)? {
    let place = try folder.parent(of: name, makingFolders: makingFolders)
    return place.map { parent, last in
      if parent !== folder { folders[parent.path] = parent }
      return (parent, last)
    }
  }

  /// Returns true for a name that a site of ours can have: a marker that somebody has changed must
  /// not lead out of the folder.
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
  /// Creates a file without a name, which goes with its descriptor.
  static func unnamed(in path: String) throws -> OpenFile {
    let folder = try folder(path)
    let name = ".fetched.new"
    // A process that was stopped between the next two calls has left it.
    try folder.remove(name)
    let file = try folder.create(name, O_RDWR | O_EXCL)
    try folder.remove(name)
    return file
  }
}
