internal import FeedModel
package import System

/// A folder in which stories' enclosures are saved.
///
/// A record in it (`.news-downloads.plist`) lists our files, each with its story, its URL and the
/// validator to ask for the rest. A file has the name `NAME.part` until all of it is on the disk.
/// Nothing else in the folder is ever overwritten or removed.
package struct DownloadFolder: Sendable {
  package let path: String
  /// A hash of the home whose stories are saved; several homes may save into one folder.
  private let home: String

  static let recordName = ".news-downloads.plist"
  private static let mostFailed = 1_000
  private static let maximumRecordSize = 16 << 20
  private static let longestWait = Duration.seconds(10)

  package init(_ path: String, of store: LibraryStore) throws {
    try OpenFile.makeFolder(path)
    self.path = path
    home = SHA256.prefix(joining: [store.home]).hexadecimal
  }

  package init?(at path: String, of store: LibraryStore) {
    self.path = path
    home = SHA256.prefix(joining: [store.home]).hexadecimal
    guard FileStatus(at: recordPath, followingLinks: false) != nil else { return nil }
  }

  /// The folder that has saved a file: the file's own, or one above it; nil if no record names the
  /// file.
  package static func of(_ file: String, of store: LibraryStore) -> DownloadFolder? {
    var path = FilePath.folder(of: file)
    while path != FilePath.folder(of: path) {
      // An unreadable record counts as one, so that its user says why.
      if let folder = DownloadFolder(at: path, of: store), (try? folder.has(file)) != false {
        return folder
      }
      path = FilePath.folder(of: path)
    }
    return nil
  }

  private func has(_ file: String) throws -> Bool {
    try ownRecords(in: try SharedFolder(path)).contains { "\(path)/\($0.name)" == file }
  }

  /// Returns the file of a story, made if there is none.
  ///
  /// `name` is such as `2026-11-20 Title.mp3`, or a path of such names.
  package func file(of story: String, from url: String, name: String) throws -> DownloadedFile {
    // The record names a file before it exists.
    try change { (record, folder) in
      guard !record.contains(where: { isOurs($0, story) }) else { return }
      let name = try freeName(name, record, in: folder)
      record.append(DownloadRecord(story: story, home: home, url: url, name: name))
    }
    return try change { (record, folder) in
      guard let index = record.firstIndex(where: { isOurs($0, story) }) else {
        throw StorageError.damaged(path: recordPath, reason: "what was written is not there")
      }
      let size = try folder.size(record[index].name)
      let partSize = try folder.size(record[index].part)
      // A process may have died between renaming the file and noting that.
      let hasDied = size == record[index].size && partSize == nil
      if let size, record[index].isWhole || hasDied {
        record[index].isWhole = true
        return DownloadedFile(record[index], folder: self, part: nil, count: size)
      }
      if record[index].isWhole || record[index].url != url {
        record[index].forgetOrigin(url)
      }
      let part = try folder.part(record[index].name)
      let count = try part.fileStatus().size
      return DownloadedFile(record[index], folder: self, part: part, count: count)
    }
  }

  /// The bytes of stories' files, whole or not, by the stories' ids.
  package func sizes() throws -> [String: Int] {
    let folder = try SharedFolder(path)
    var sizes: [String: Int] = [:]
    for entry in try ownRecords(in: folder) {
      var size = try folder.size(entry.name)
      if size == nil { size = try folder.size(entry.part) }
      sizes[entry.story] = size ?? 0
    }
    return sizes
  }

  /// The stories whose enclosures failed, and are not to be asked for again yet.
  package func waiting(at now: Date) throws -> Set<String> {
    let own = try ownRecords(in: try SharedFolder(path))
    return Set(own.filter { $0.retry.map { $0 > now } ?? false }.map(\.story))
  }

  /// Removes a story's file, whole or not; returns its path and bytes, or nil if there is none.
  package func remove(_ story: String) throws -> (path: String, bytes: Int)? {
    try change { (record, folder) in
      guard let index = record.firstIndex(where: { isOurs($0, story) }) else { return nil }
      let name = record[index].isWhole ? record[index].name : record[index].part
      guard let size = try folder.size(name) else { return nil }
      if let parent = try folder.parent(of: name) {
        try parent.folder.remove(parent.name)
        folder.removeEmptyFolders(of: name)
      }
      record.remove(at: index)
      return ("\(path)/\(name)", size)
    }
  }

  private func isOurs(_ entry: DownloadRecord, _ story: String) -> Bool {
    entry.story == story && entry.home == home
  }

  private func ownRecords(in folder: SharedFolder) throws -> [DownloadRecord] {
    try records(in: folder).filter { $0.home == home }
  }

  // MARK: - The record

  func change<R>(_ body: (inout [DownloadRecord], SharedFolder) throws -> R) throws -> R {
    // A file description of its own, so that the lock holds between threads, too.
    let folder = try SharedFolder(path)
    try folder.lock(waitAtMost: Self.longestWait)
    defer { folder.unlock() }
    let old = try records(in: folder)
    var new = old
    let result = try body(&new, folder)
    if new != old {
      try folder.replace(Self.recordName, by: recordFile.bytes(new))
    }
    return result
  }

  private var recordPath: String { "\(path)/\(Self.recordName)" }

  private var recordFile: PropertyListFile<[DownloadRecord]> {
    PropertyListFile(
      path: recordPath,
      coding: .list(of: .dictionary(DownloadRecord.table)),
      damage: "the top-level object is not an array",
    )
  }

  private func records(in folder: SharedFolder) throws -> [DownloadRecord] {
    guard let (file, status) = try folder.file(Self.recordName) else { return [] }
    // Whoever wrote the record could have files removed.
    guard status.owner == geteuid() || status.owner == 0 else {
      throw StorageError.refused("\(recordPath) belongs to another user")
    }
    let bytes = try file.readAll(limit: Self.maximumRecordSize)
    return try recordFile.contents(bytes) ?? []
  }

  // MARK: - Names

  /// Returns the name, with a number behind it if another file has the name in any case.
  func freeName(
    _ name: String,
    _ record: [DownloadRecord],
    in folder: SharedFolder,
  ) throws -> String {
    let taken = Set(record.map { $0.name.lowercased() })
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    for number in 1...10_000 {
      let candidate = number == 1 ? name : "\(name[..<dot]) (\(number))\(name[dot...])"
      guard !taken.contains(candidate.lowercased()) else { continue }
      guard let parent = try folder.parent(of: candidate) else { return candidate }
      let names = [parent.name, DownloadRecord.part(of: parent.name)]
      if try parent.folder.status(names[0]) == nil, try parent.folder.status(names[1]) == nil {
        return candidate
      }
    }
    throw StorageError.refused("\(path) has more than 10000 files named \(name)")
  }
}

extension DownloadFolder {
  /// Drops the oldest failures, of stories that nobody asks for any more.
  static func forgetFailed(_ record: inout [DownloadRecord]) {
    let failed = record.filter { $0.failures > 0 && $0.size == nil }
    guard failed.count > mostFailed else { return }
    let forgotten = Set(failed.dropLast(mostFailed))
    record.removeAll { forgotten.contains($0) }
  }
}

extension SharedFolder {
  fileprivate func size(_ path: String) throws -> Int? {
    guard let parent = try parent(of: path) else { return nil }
    return try parent.folder.status(parent.name).flatMap { $0.kind == .file ? $0.size : nil }
  }

  /// Opens or creates a file to be continued, and locks it.
  ///
  /// Others may read it if the user's umask lets them.
  fileprivate func part(_ name: String) throws -> OpenFile {
    let part = DownloadRecord.part(of: name)
    let file = try parent(of: part, makingFolders: true).map { parent in
      try parent.folder.appending(parent.name)
    }
    guard let file, try file.tryLock(orUnlockable: true) else {
      throw StorageError.refused("another news is downloading \(path)/\(name)")
    }
    return file
  }
}
