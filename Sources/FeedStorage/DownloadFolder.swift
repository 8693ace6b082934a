internal import PropertyLists
internal import System

/// A folder that stories' enclosures are saved in.
///
/// A record in it (`.news-downloads.plist`) says which files are ours: whose story each is, where it
/// came from, and what to ask for the rest of it with. A file has the name `NAME.part` until all of it
/// is on the disk. Nothing else in the folder is ever overwritten or removed.
package struct DownloadFolder: Sendable {
  package let path: String

  static let mostFailures = 1_000
  static let recordName = ".news-downloads.plist"
  private static let maximumRecordSize = 16 << 20

  /// The folder is made where there is none.
  package init(_ path: String) throws(StorageError) {
    try OpenFile.makeFolder(path)
    self.path = path
  }

  /// The folder of a file that it is said to have saved; nil where there is no record.
  package init?(of file: String) {
    path = FilePath.folder(of: file)
    guard FileStatus(at: path + "/" + Self.recordName)?.kind == .file else { return nil }
  }

  /// What is to be saved: a story's enclosure, under a name of its own where that can be had.
  package struct Request: Sendable {
    package let story: String
    package let feed: String
    package let url: String
    /// As `2026-11-20 Title.mp3`.
    package let name: String

    package init(story: String, feed: String, url: String, name: String) {
      (self.story, self.feed, self.url, self.name) = (story, feed, url, name)
    }
  }

  /// The file of an enclosure: whole, begun, or new.
  package func file(for request: Request) throws(StorageError) -> DownloadedFile {
    try change { (record, folder) throws(StorageError) in
      var entry = DownloadRecord(request, name: request.name)
      if let old = record.first(where: { $0.story == request.story }) {
        entry = old
      } else {
        entry = DownloadRecord(request, name: try freeName(request.name, record, in: folder))
      }
      record.removeAll { $0.story == request.story }
      // A process may have died between giving the file its name and noting that.
      if let size = Self.size(of: entry.name, in: folder), entry.isWhole || size == entry.size {
        entry.isWhole = true
        record.append(entry)
        return DownloadedFile(entry, folder: self, part: nil, count: size)
      }
      if FileStatus(at: entry.name, in: folder.number, followingLinks: false) != nil {
        entry = DownloadRecord(request, name: try freeName(request.name, record, in: folder))
      }
      if entry.isWhole || entry.url != request.url { entry.forgetOrigin(request.url) }
      let part = try folder.part(entry.name)
      let count = try part.fileStatus().size
      record.append(entry)
      return DownloadedFile(entry, folder: self, part: part, count: count)
    }
  }

  /// Bytes of the files of a feed's stories but one, whole or not.
  package func bytes(of feed: String, without story: String) throws(StorageError) -> Int {
    let folder = try OpenFile.folder(path)
    return try records().filter { $0.feed == feed && $0.story != story }.reduce(0) { sum, entry in
      sum + (Self.size(of: entry.name, in: folder) ?? Self.size(of: entry.part, in: folder) ?? 0)
    }
  }

  /// In how many runs nothing came of a story's enclosure, by the ids of the stories.
  package func failures() throws(StorageError) -> [String: Int] {
    Dictionary(try records().map { ($0.story, $0.failures) }) { $1 }
  }

  /// Removes a story's file, if it is the one that was saved here.
  ///
  /// - Returns: its bytes; nil where there is no such file.
  package func remove(_ file: String, of story: String) throws(StorageError) -> Int? {
    let name = FilePath.name(of: file)
    return try change { (record, folder) throws(StorageError) in
      guard let entry = record.first(where: { $0.story == story && $0.name == name }),
        entry.isWhole, let size = Self.size(of: name, in: folder)
      else { return nil }
      try folder.remove(name)
      record.removeAll { $0.story == story }
      return size
    }
  }

  // MARK: - The record

  /// Changes the record under the folder's lock.
  func change<R>(
    _ body: (inout [DownloadRecord], OpenFile) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    // A description of its own: the lock holds between threads, too.
    let folder = try OpenFile.folder(path)
    try folder.lock(orUnlockable: true)
    defer { folder.unlock() }
    let old = try records()
    var new = old
    let result = try body(&new, folder)
    if new != old {
      let list = PropertyListValue.array(new.map { .dictionary($0.dictionary) })
      try AtomicFile(path: recordPath).replace(PropertyList.encode(list))
    }
    return result
  }

  private var recordPath: String { "\(path)/\(Self.recordName)" }

  private func records() throws(StorageError) -> [DownloadRecord] {
    let reader = try LibraryStore.reader(recordPath, atMost: Self.maximumRecordSize)?.0
    guard let reader else { return [] }
    let value = try ItemTable.reading(recordPath) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    guard let list = value.array else {
      throw .damaged(path: recordPath, reason: "the top-level object is not an array")
    }
    return list.compactMap(\.dictionary).compactMap { DownloadRecord($0) }
  }

  // MARK: - Names

  /// nil for what is no file.
  private static func size(of name: String, in folder: OpenFile) -> Int? {
    FileStatus(at: name, in: folder.number, followingLinks: false).flatMap {
      $0.kind == .file ? $0.size : nil
    }
  }

  /// The name, or with a number behind it where another file has it, in whatever case.
  private func freeName(
    _ name: String,
    _ record: [DownloadRecord],
    in folder: OpenFile,
  ) throws(StorageError) -> String {
    let taken = Set(record.map { $0.name.lowercased() })
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    for number in 1...10_000 {
      let candidate = number == 1 ? name : "\(name[..<dot]) (\(number))\(name[dot...])"
      let names = [candidate, DownloadRecord.part(of: candidate)]
      if !taken.contains(candidate.lowercased()),
        names.allSatisfy({
          FileStatus(at: $0, in: folder.number, followingLinks: false) == nil
        })
      {
        return candidate
      }
    }
    throw .refused("\(path) has more than 10000 files named \(name)")
  }
}

/// What the record says of one file.
struct DownloadRecord: Hashable, Sendable {
  let story: String
  let feed: String
  fileprivate(set) var url: String
  let name: String
  /// To ask for the rest with.
  fileprivate(set) var validator: String?
  /// Of the whole file, where that is known.
  fileprivate(set) var size: Int?
  fileprivate(set) var isWhole = false
  /// Runs in which nothing came.
  fileprivate(set) var failures = 0

  var part: String { Self.part(of: name) }

  static func part(of name: String) -> String { name + ".part" }

  init(_ request: DownloadFolder.Request, name: String) {
    (story, feed, url, self.name) = (request.story, request.feed, request.url, name)
  }

  /// nil for what could lead out of the folder, or is none of ours.
  init?(_ dictionary: PropertyListDictionary) {
    guard let story = dictionary["story"]?.string, let feed = dictionary["feed"]?.string,
      let url = dictionary["url"]?.string, let name = dictionary["name"]?.string,
      !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(0x2F), !name.utf8.contains(0)
    else { return nil }
    (self.story, self.feed, self.url, self.name) = (story, feed, url, name)
    validator = dictionary["validator"]?.string
    size = dictionary["size"]?.asCount
    isWhole = dictionary["whole"]?.boolean ?? false
    failures = dictionary["failures"]?.asCount ?? 0
  }

  var dictionary: PropertyListDictionary {
    var dictionary: PropertyListDictionary = [
      "story": .string(story), "feed": .string(feed), "url": .string(url), "name": .string(name),
    ]
    dictionary["validator"] = validator.map { .string($0) }
    dictionary["size"] = size.map { .integer(Int64($0)) }
    dictionary["whole"] = isWhole ? .boolean(true) : nil
    dictionary["failures"] = failures > 0 ? .integer(Int64(failures)) : nil
    return dictionary
  }

  fileprivate mutating func forgetOrigin(_ url: String) {
    (self.url, validator, size, isWhole) = (url, nil, nil, false)
  }
}

/// A file of a `DownloadFolder`, which it has to itself until it is gone.
package final class DownloadedFile {
  private var entry: DownloadRecord
  private let folder: DownloadFolder
  /// nil for a whole file.
  private var part: OpenFile?
  /// Bytes that are there.
  package private(set) var count: Int

  fileprivate init(_ entry: DownloadRecord, folder: DownloadFolder, part: OpenFile?, count: Int) {
    (self.entry, self.folder, self.part, self.count) = (entry, folder, part, count)
  }

  /// As `RefreshTurn.end`.
  deinit {
    part?.unlock()
  }

  package var path: String { "\(folder.path)/\(entry.name)" }
  package var isWhole: Bool { part == nil }
  package var size: Int? { entry.size }

  /// What to ask for the rest of it with; nil where it has to be asked for from its beginning.
  package var validator: String? { count > 0 ? entry.validator : nil }

  /// Begins anew, with what an answer says of the file.
  package func restart(size: Int?, validator: String?) throws(StorageError) {
    (entry.size, entry.validator) = (nil, nil)
    // In this order no bytes are ever taken for those of another version.
    try note()
    try part?.empty()
    count = 0
    (entry.size, entry.validator) = (size, validator)
    try note()
    try checkSpace()
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    try part?.write(bytes)
    count += bytes.count
  }

  /// Gives the file its name: all of it has come.
  package func finish() throws(StorageError) {
    guard let part else { return }
    try part.synchronize()
    entry.size = count
    try note()
    try folder.change { (record, folder) throws(StorageError) in
      guard FileStatus(at: entry.name, in: folder.number, followingLinks: false) == nil else {
        throw .refused("there is a file \(path) that is none of ours")
      }
      try folder.rename(entry.part, to: entry.name)
      try folder.synchronize()
      entry.isWhole = true
      put(into: &record)
    }
    part.unlock()
    self.part = nil
  }

  /// Takes away what has no bytes: nothing came, for want of the file or of something else.
  package func giveUp(isMissing: Bool) throws(StorageError) {
    guard let part, count == 0 else { return }
    if isMissing { entry.failures += 1 }
    try folder.change { (record, folder) throws(StorageError) in
      try folder.remove(FilePath.name(of: part.path))
      put(into: &record)
      if entry.failures == 0 { record.removeLast() }
      // Of stories that nobody asks for any more, the oldest.
      let failed = record.filter { $0.failures > 0 && !$0.isWhole }
      let forgotten = Set(failed.dropLast(DownloadFolder.mostFailures).map(\.story))
      record.removeAll { forgotten.contains($0.story) }
    }
    part.unlock()
    self.part = nil
  }

  private func note() throws(StorageError) {
    try folder.change { (record, _) throws(StorageError) in put(into: &record) }
  }

  private func put(into record: inout [DownloadRecord]) {
    record.removeAll { $0.story == entry.story }
    record.append(entry)
  }

  private func checkSpace() throws(StorageError) {
    guard let size = entry.size, let free = POSIX.freeBytes(at: folder.path), size > free else {
      return
    }
    throw .refused("\(size) bytes are wanted in \(folder.path), and \(free) are free")
  }
}

extension OpenFile {
  /// A file to be continued, that others may read where the user's umask lets them; locked.
  fileprivate func part(_ name: String) throws(StorageError) -> OpenFile {
    let part = DownloadRecord.part(of: name)
    let file = try create(part, O_RDWR | O_APPEND | O_NONBLOCK, mode: 0o666)
    _ = try file.fileStatus()
    guard try file.tryLock(orUnlockable: true) else {
      throw .refused("another news is downloading \(path)/\(name)")
    }
    return file
  }

  /// Waits for as long as others take to change a record.
  fileprivate func lock(orUnlockable isEnough: Bool) throws(StorageError) {
    while try !tryLock(orUnlockable: isEnough) { POSIX.pause(.milliseconds(1)) }
  }
}
