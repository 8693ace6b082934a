package import FeedModel
internal import PropertyLists
package import System

/// The numbers in the last list of each terminal session: `listings/`, with a file for each
/// session.
///
/// Its file goes once nobody is in the session any more, or after a week. Nothing here waits for
/// the disk or for a writer: the next list numbers again what was lost.
struct ListingFolder {
  let store: LibraryStore

  private var folder: String { store.path(.listings) }
  /// The file of 0.1.0, which had one for all sessions.
  private var oldPath: String { store.path(Self.oldName) }

  static let oldName = "listing.plist"
  /// The nanoseconds after which a list is forgotten.
  private static let lifetime = 7 * 86_400 * 1_000_000_000

  func path(of session: TerminalSession) -> String { "\(folder)/\(session.name).plist" }

  /// Returns the session's own list, or else the last one of any session.
  func listing(of session: TerminalSession) throws -> ListingTable? {
    if let own = try own(of: session) { return own }
    return try table(lists.max { $0.modified < $1.modified }?.path ?? oldPath)
  }

  private func table(_ path: String) throws -> ListingTable? {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    return try ListingTable(reader, path: path)
  }

  func own(of session: TerminalSession) throws -> ListingTable? {
    try table(path(of: session))
  }

  func save(
    _ ids: [StoryID],
    positions: [Int],
    shown: Int,
    seen: Date?,
    of session: TerminalSession,
  ) throws {
    let path = path(of: session)
    if let home = FileStatus(at: store.home) { try FileLock.checkIsPrivate(home, store.home) }
    if FileStatus(at: path) == nil { try prepare() }
    try AtomicFile(path: path).replaceUnsynced {
      var record: PropertyListDictionary = ["stories": .array([])]
      // A damaged file counts as none: this list replaces it.
      let date = seen ?? (try? listing(of: session))?.seen
      if shown > 0 { record["shown"] = .integer(Int64(shown)) }
      record["seen"] = date.map { .date($0.timeIntervalSinceReferenceDate) }
      var writer = BinaryPropertyListWriter()
      // PERF: neither a value nor a string is made of each of many stories.
      var stories: [BinaryPropertyListWriter.Object] = []
      stories.reserveCapacity(2 * ids.count)
      for (id, position) in zip(ids, positions) {
        stories.append(writer.add(id))
        stories.append(writer.add(.integer(Int64(position))))
      }
      let list = writer.add(array: stories)
      return writer.bytes(root: writer.add(record, with: list, as: "stories"))
    }
    // The time is set to the nanosecond, even for an unchanged list: the system's own clock ticks
    // every four milliseconds.
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    _ = utimensat(AT_FDCWD, path, [now, now], 0)
  }

  private func prepare() throws {
    if FileStatus(at: folder) == nil {
      try OpenFile.makeFolder(folder)
      // The owner of the home uses the lists that root makes.
      if geteuid() == 0, let owner = FileStatus(at: store.home),
        POSIX.retrying({ chown(folder, owner.owner, owner.group) }) != 0
      {
        throw StorageError.failed("change the owner of", folder)
      }
    }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let oldest = now.tv_sec * 1_000_000_000 - Self.lifetime
    for list in lists where list.session.hasEnded || list.modified < oldest {
      try? OpenFile.folder(folder).remove(FilePath.name(of: list.path))
    }
    if let old = FileStatus(at: oldPath), old.modified < oldest {
      try? AtomicFile(path: oldPath).delete()
    }
  }

  /// All lists but that of mails, which numbers nothing.
  private var lists: [(session: TerminalSession, path: String, modified: Int)] {
    (POSIX.names(inFolder: folder) ?? []).compactMap { name in
      guard name.hasSuffix(".plist"), !name.hasPrefix("."),
        name != "\(TerminalSession.mail.name).plist",
        let status = FileStatus(at: "\(folder)/\(name)")
      else { return nil }
      let session = TerminalSession(name: String(name.dropLast(6)))
      return (session, "\(folder)/\(name)", status.modified)
    }
  }

  func remove() throws {
    try AtomicFile(path: oldPath).delete()
    guard !names.isEmpty else { return }
    let open = try OpenFile.folder(folder)
    for name in names { try open.remove(name) }
    try open.synchronize()
  }

  var isEmpty: Bool {
    FileStatus(at: oldPath) == nil && names.isEmpty
  }

  private var names: [String] {
    POSIX.entries(inFolder: folder)
  }

  func count() throws -> Int {
    var count = try table(oldPath)?.count ?? 0
    for list in lists { count += try table(list.path)?.count ?? 0 }
    return count
  }
}

extension BinaryPropertyListWriter {
  fileprivate mutating func add(_ id: StoryID) -> Object {
    switch id {
    case .number(let number): number.withHexadecimal { add(utf8: $0) }
    case .other(let text): add(.string(text))
    }
  }
}

extension TerminalSession {
  /// Mails of lists, wherever they are made.
  package static let mail = TerminalSession(name: "mail")
}

extension LibraryStore {
  /// Returns the session's last list, or else the last one of any session; nil without a record.
  package func listing(of session: TerminalSession = .current()) throws -> ListingTable? {
    try ListingFolder(store: self).listing(of: session)
  }

  package func shownListing(of session: TerminalSession = .current()) throws -> ListingTable? {
    try ListingFolder(store: self).own(of: session).flatMap { $0.shown > 0 ? $0 : nil }
  }

  /// Saves the list of this session, numbered from 1: the stories' `id`s and positions in the data
  /// file.
  ///
  /// `shown` is the number of stories, from the first, on the session's screen. `seen` is the time
  /// at which the data file was saved of which all new stories were shown; nil if they were not.
  package func saveListing(
    _ ids: [StoryID],
    positions: [Int],
    shown: Int = 0,
    seen: Date? = nil,
    of session: TerminalSession = .current(),
  ) throws {
    try prepareHome()
    _ = try SubscriptionsFile(path: subscriptionsPath).reader()
    let folder = ListingFolder(store: self)
    try folder.save(ids, positions: positions, shown: shown, seen: seen, of: session)
  }

  /// False where a list cannot be saved: in a folder of another user, or on a read-only disk.
  package var savesListings: Bool {
    var path = path(.listings)
    while access(path, W_OK) != 0 {
      guard errno == ENOENT, path != "/" else { return false }
      path = FilePath.folder(of: path)
    }
    return true
  }

  package func forgetListing() throws {
    if ListingFolder(store: self).isEmpty { return }
    try locked { try removeListing() }
  }

  func removeListing() throws {
    try ListingFolder(store: self).remove()
  }
}

/// A list's numbers: a view that decodes only what it is asked for.
///
/// Its stories are an array of their `id`s, each followed by the position that it had in the data
/// file. 0.1.0 had one array alone, without positions, for all sessions.
package struct ListingTable: Sendable {
  package let count: Int
  package let shown: Int
  /// The time at which the data file was saved whose new stories the session has seen; nil if
  /// unknown.
  package let seen: Date?
  private let reader: BinaryPropertyListReader
  private let path: String
  private let array: Int
  private let width: Int

  init?(_ reader: BinaryPropertyListReader, path: String) throws {
    self.reader = reader
    self.path = path
    var array = reader.root
    var seen: Double?
    var shown = 0
    let elements = try StorageError.translating(path) {
      let root = reader.root
      if let stories = try reader.value(of: "stories", in: root) {
        array = stories
        if let date = try reader.value(of: "seen", in: root) { seen = try reader.date(date) }
        if let number = try reader.value(of: "shown", in: root) {
          shown = try reader.value(number).asCount ?? 0
        }
      }
      return try reader.arrayCount(array)
    }
    guard let elements else { return nil }
    self.array = array
    self.seen = seen.map { Date(timeIntervalSinceReferenceDate: $0) }
    width = array == reader.root ? 1 : 2
    count = elements / width
    self.shown = min(shown, count)
  }

  /// The `id` of the story with a number from 1 to `count`, and the position to look at first.
  package func story(_ number: Int) throws -> (id: String, position: Int) {
    try StorageError.translating(path) {
      let first = (number - 1) * width
      var id: String?
      if let object = try reader.element(array, at: first) { id = try reader.string(object) }
      guard width > 1, let object = try reader.element(array, at: first + 1) else {
        return (id ?? "", number - 1)
      }
      return (id ?? "", try reader.value(object).asCount ?? 0)
    }
  }
}
