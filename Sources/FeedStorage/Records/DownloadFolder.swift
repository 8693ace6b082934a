internal import FeedModel
internal import PropertyLists
package import System

/// A folder that stories' enclosures are saved in.
///
/// A record in it (`.news-downloads.plist`) says which files are ours: whose story each is, where it
/// came from, and what to ask for the rest of it with. A file has the name `NAME.part` until all of it
/// is on the disk. Nothing else in the folder is ever overwritten or removed.
package struct DownloadFolder: Sendable {
  package let path: String
  /// Of the home whose stories they are: several may save into one folder.
  private let home: String

  static let recordName = ".news-downloads.plist"
  private static let mostFailed = 1_000
  private static let maximumRecordSize = 16 << 20
  private static let longestWait = Duration.seconds(10)

  /// The folder is made where there is none.
  package init(_ path: String, of store: LibraryStore) throws(StorageError) {
    try OpenFile.makeFolder(path)
    self.path = path
    home = SHA256.prefix(joining: [store.home]).hexadecimal
  }

  /// The folder of a file that it is said to have saved; nil where there is no record.
  package init?(of file: String, of store: LibraryStore) {
    path = FilePath.folder(of: file)
    home = SHA256.prefix(joining: [store.home]).hexadecimal
    guard FileStatus(at: recordPath, followingLinks: false) != nil else { return nil }
  }

  /// What is to be saved: a story's enclosure, under a name of its own where that can be had.
  package struct Request: Sendable {
    package let story: String
    package let url: String
    /// As `2026-11-20 Title.mp3`.
    package let name: String

    package init(story: String, url: String, name: String) {
      (self.story, self.url, self.name) = (story, url, name)
    }
  }

  /// The file of an enclosure: whole, begun, or new.
  package func file(for request: Request) throws(StorageError) -> DownloadedFile {
    // Before there is a file, the record knows it.
    try change { (record, folder) throws(StorageError) in
      guard !record.contains(where: { isOurs($0, request.story) }) else { return }
      let name = try freeName(request.name, record, in: folder)
      record.append(DownloadRecord(request, home: home, name: name))
    }
    return try change { (record, folder) throws(StorageError) in
      guard let place = record.firstIndex(where: { isOurs($0, request.story) }) else {
        throw .damaged(path: recordPath, reason: "what was written is not there")
      }
      let size = try folder.size(record[place].name)
      let partSize = try folder.size(record[place].part)
      // A process may have died between giving the file its name and noting that.
      let hasDied = size == record[place].size && partSize == nil
      if let size, record[place].isWhole || hasDied {
        record[place].isWhole = true
        return DownloadedFile(record[place], folder: self, part: nil, count: size)
      }
      if record[place].isWhole || record[place].url != request.url {
        record[place].forgetOrigin(request.url)
      }
      let part = try folder.part(record[place].name)
      let count = try part.fileStatus().size
      return DownloadedFile(record[place], folder: self, part: part, count: count)
    }
  }

  /// Bytes of the files of stories, whole or not, by the ids of the stories.
  package func sizes() throws(StorageError) -> [String: Int] {
    let folder = try SharedFolder(path)
    var sizes: [String: Int] = [:]
    for entry in try ownRecords(in: folder) {
      var size = try folder.size(entry.name)
      if size == nil { size = try folder.size(entry.part) }
      sizes[entry.story] = size ?? 0
    }
    return sizes
  }

  /// Stories whose enclosures could not be had, and are not to be asked for again yet.
  package func waiting(at now: Date) throws(StorageError) -> Set<String> {
    let own = try ownRecords(in: try SharedFolder(path))
    return Set(own.filter { $0.retry.map { $0 > now } ?? false }.map(\.story))
  }

  /// Removes a story's file, or the part that there is, if it was saved here.
  ///
  /// - Returns: its path and bytes; nil where there is none.
  package func remove(_ story: String) throws(StorageError) -> (path: String, bytes: Int)? {
    try change { (record, folder) throws(StorageError) in
      guard let place = record.firstIndex(where: { isOurs($0, story) }) else { return nil }
      let name = record[place].isWhole ? record[place].name : record[place].part
      guard let size = try folder.size(name) else { return nil }
      try folder.remove(name)
      record.remove(at: place)
      return ("\(path)/\(name)", size)
    }
  }

  private func isOurs(_ entry: DownloadRecord, _ story: String) -> Bool {
    entry.story == story && entry.home == home
  }

  private func ownRecords(in folder: SharedFolder) throws(StorageError) -> [DownloadRecord] {
    try records(in: folder).filter { $0.home == home }
  }

  // MARK: - The record

  /// Changes the record under the folder's lock.
  func change<R>(
    _ body: (inout [DownloadRecord], SharedFolder) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    // A description of its own: the lock holds between threads, too.
    let folder = try SharedFolder(path)
    try folder.lock(waitAtMost: Self.longestWait)
    defer { folder.unlock() }
    let old = try records(in: folder)
    var new = old
    let result = try body(&new, folder)
    if new != old {
      let list = PropertyListValue.array(new.map { .dictionary($0.dictionary) })
      try folder.replace(Self.recordName, by: PropertyList.encode(list))
    }
    return result
  }

  private var recordPath: String { "\(path)/\(Self.recordName)" }

  private func records(in folder: SharedFolder) throws(StorageError) -> [DownloadRecord] {
    guard let (file, status) = try folder.file(Self.recordName) else { return [] }
    // Who wrote it could have files removed.
    guard status.owner == geteuid() || status.owner == 0 else {
      throw .refused("\(recordPath) belongs to another user")
    }
    let bytes = try file.readAll(limit: Self.maximumRecordSize)
    let value = try ItemTable.reading(recordPath) { () throws(PropertyListError) in
      let reader = try PropertyList.reader(PropertyListBytes(bytes))
      return try reader.value(reader.root)
    }
    guard let list = value.array else {
      throw .damaged(path: recordPath, reason: "the top-level object is not an array")
    }
    return list.compactMap(\.dictionary).compactMap { DownloadRecord($0) }
  }

  // MARK: - Names

  /// The name, or with a number behind it where another file has it, in whatever case.
  fileprivate func freeName(
    _ name: String,
    _ record: [DownloadRecord],
    in folder: SharedFolder,
  ) throws(StorageError) -> String {
    let taken = Set(record.map { $0.name.lowercased() })
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    for number in 1...10_000 {
      let candidate = number == 1 ? name : "\(name[..<dot]) (\(number))\(name[dot...])"
      let names = [candidate, DownloadRecord.part(of: candidate)]
      guard !taken.contains(candidate.lowercased()) else { continue }
      if try folder.status(names[0]) == nil, try folder.status(names[1]) == nil {
        return candidate
      }
    }
    throw .refused("\(path) has more than 10000 files named \(name)")
  }
}

/// What the record says of one file.
struct DownloadRecord: Hashable, Sendable {
  let story: String
  let home: String
  fileprivate(set) var url: String
  fileprivate(set) var name: String
  /// To ask for the rest with.
  fileprivate(set) var validator: String?
  /// Of the whole file, where that is known.
  fileprivate(set) var size: Int?
  fileprivate(set) var isWhole = false
  /// Runs in a row that brought nothing of use, and when the last of them was.
  fileprivate(set) var failures = 0
  fileprivate(set) var failed: Date?

  var part: String { Self.part(of: name) }

  static func part(of name: String) -> String { name + ".part" }

  /// When to ask again after failures: an hour, two, four… a day.
  var retry: Date? { failed?.addingTimeInterval(min(3_600 * exp2(Double(failures - 1)), 86_400)) }

  init(_ request: DownloadFolder.Request, home: String, name: String) {
    (story, self.home, url, self.name) = (request.story, home, request.url, name)
  }

  /// nil for what could lead out of the folder, or is none of ours.
  init?(_ dictionary: PropertyListDictionary) {
    guard let story = dictionary["story"]?.string, let home = dictionary["home"]?.string,
      let url = dictionary["url"]?.string, let name = dictionary["name"]?.string,
      !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(0x2F), !name.utf8.contains(0)
    else { return nil }
    (self.story, self.home, self.url, self.name) = (story, home, url, name)
    validator = dictionary["validator"]?.string
    size = dictionary["size"]?.asCount
    isWhole = dictionary["whole"]?.boolean ?? false
    failures = min(dictionary["failures"]?.asCount ?? 0, 100)
    failed = dictionary["failed"]?.asDate
  }

  var dictionary: PropertyListDictionary {
    var dictionary: PropertyListDictionary = [
      "story": .string(story), "home": .string(home), "url": .string(url), "name": .string(name),
    ]
    dictionary["validator"] = validator.map { .string($0) }
    dictionary["size"] = size.map { .integer(Int64($0)) }
    dictionary["whole"] = isWhole ? .boolean(true) : nil
    dictionary["failures"] = failures > 0 ? .integer(Int64(failures)) : nil
    dictionary["failed"] = failed.map { .date($0.timeIntervalSinceReferenceDate) }
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
  private let countBefore: Int
  /// So many bytes there was room for when it was last looked.
  private var checked = 0

  fileprivate init(_ entry: DownloadRecord, folder: DownloadFolder, part: OpenFile?, count: Int) {
    (self.entry, self.folder, self.part, self.count) = (entry, folder, part, count)
    countBefore = count
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
    if let size { try checkRoom(for: size - count) }
    (entry.size, entry.validator) = (nil, nil)
    // In this order no bytes are ever taken for those of another version.
    try note()
    if count > 0 {
      try part?.empty()
      try part?.synchronize()
    }
    (count, checked) = (0, 0)
    (entry.size, entry.validator) = (size, validator)
    try note()
  }

  /// Notes how large it will be, where no answer has said so before.
  package func learn(size: Int?) throws(StorageError) {
    try checkRoom(for: (size ?? entry.size ?? count) - count)
    guard entry.size == nil, let size else { return }
    entry.size = size
    try note()
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    if count + bytes.count > checked {
      // Others write to the disk, too, and not every server says how much there is.
      let next = max(bytes.count, min((entry.size ?? .max) - count, Self.bytesBetweenLooks))
      try checkRoom(for: next)
      checked = count + next
    }
    try part?.write(bytes)
    count += bytes.count
  }

  /// Gives the file its name, or where somebody else has taken that another: all of it has come.
  package func finish() throws(StorageError) {
    guard let part else { return }
    try part.synchronize()
    entry.size = count
    (entry.failures, entry.failed) = (0, nil)
    try note()
    try folder.change { (record, open) throws(StorageError) in
      let old = entry.part
      if try open.status(entry.name) != nil {
        entry.name = try folder.freeName(entry.name, record, in: open)
      }
      try open.rename(part, from: old, to: entry.name)
      entry.isWhole = true
      put(into: &record)
    }
    part.unlock()
    self.part = nil
  }

  /// Ends without all of it: of what nothing came, nothing stays.
  ///
  /// `failed` is when, where it was asked for; nil where that is not its fault. A run that brought
  /// bytes with which the next can go on has not failed.
  package func giveUp(failed: Date?) throws(StorageError) {
    guard let part else { return }
    if validator != nil, count > countBefore {
      (entry.failures, entry.failed) = (0, nil)
    } else if let failed {
      (entry.failures, entry.failed) = (min(entry.failures + 1, 100), failed)
    }
    try folder.change { (record, open) throws(StorageError) in
      if count == 0 { try open.remove(FilePath.name(of: part.path)) }
      put(into: &record)
      if count == 0, entry.failures == 0 { record.removeLast() }
      DownloadFolder.forgetFailed(&record)
    }
    part.unlock()
    self.part = nil
  }

  private func note() throws(StorageError) {
    try folder.change { (record, _) throws(StorageError) in put(into: &record) }
  }

  private func put(into record: inout [DownloadRecord]) {
    record.removeAll { $0.story == entry.story && $0.home == entry.home }
    record.append(entry)
  }

  /// Checks that the disk has room for so many bytes more, and behind them its reserve.
  ///
  /// A full disk takes more from its user than an episode.
  package func checkRoom(for bytes: Int = 0) throws(StorageError) {
    guard let (free, all) = POSIX.space(at: folder.path) else { return }
    let reserve = min(Self.largestReserve, all / 20)
    guard bytes > free - reserve else { return }
    let wanted = bytes > 0 ? "\(bytes) bytes are wanted" : "nothing more is saved"
    throw .refused("\(wanted) in \(folder.path): \(free) are free, and \(reserve) stay free")
  }

  private static let largestReserve = 1 << 30
  private static let bytesBetweenLooks = 1 << 20
}

extension DownloadFolder {
  /// Of stories that nobody asks for any more, the oldest go.
  fileprivate static func forgetFailed(_ record: inout [DownloadRecord]) {
    let failed = record.filter { $0.failures > 0 && $0.size == nil }
    guard failed.count > mostFailed else { return }
    let forgotten = Set(failed.dropLast(mostFailed))
    record.removeAll { forgotten.contains($0) }
  }
}

extension SharedFolder {
  /// nil for what is no file.
  fileprivate func size(_ name: String) throws(StorageError) -> Int? {
    try status(name).flatMap { $0.kind == .file ? $0.size : nil }
  }

  /// A file to be continued, that others may read where the user's umask lets them; locked.
  fileprivate func part(_ name: String) throws(StorageError) -> OpenFile {
    let file = try appending(DownloadRecord.part(of: name))
    guard try file.tryLock(orUnlockable: true) else {
      throw .refused("another news is downloading \(path)/\(name)")
    }
    return file
  }
}
