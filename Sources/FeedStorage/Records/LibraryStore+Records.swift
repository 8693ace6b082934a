package import FeedModel
internal import PropertyLists
package import System

extension LibraryStore {
  private var listingPath: String { path("listing.plist") }
  private var ledgerPath: String { path("ledger.plist") }

  static let maximumRuns = 10_000

  /// What the session's last list numbered, or else the last one of any session; nil when there is
  /// no record.
  package func listing(
    of session: TerminalSession = .current()
  ) throws(StorageError) -> ListingTable? {
    guard let (reader, _) = try Self.reader(listingPath) else { return nil }
    return try ListingTable(reader, of: session, path: listingPath)
  }

  /// Remembers what was numbered from 1 in this session: the stories' `id`s and their places in
  /// the data file.
  ///
  /// `seen` is when the data file was saved of which all that is new was shown; nil where it was not.
  /// Waits neither for the disk nor for a writer: what is lost is numbered again by the next list.
  package func saveListing(
    _ ids: [String],
    places: [Int],
    seen: Date? = nil,
    of session: TerminalSession = .current(),
  ) throws(StorageError) {
    try prepareHome()
    _ = try SubscriptionsFile(path: subscriptionsPath).reader()
    let list = zip(ids, places).flatMap { id, place in
      [PropertyListValue.string(id), .integer(Int64(place))]
    }
    try AtomicFile(path: listingPath).replaceUnsynced { () throws(StorageError) in
      var record: PropertyListDictionary = ["stories": .array(list)]
      // A damaged file is none: this list mends it.
      let date = seen ?? (try? listing(of: session))?.seen
      record["seen"] = date.map { .date($0.timeIntervalSinceReferenceDate) }
      var sessions = otherListings(than: session)
      sessions.append(session.name, .dictionary(record))
      return PropertyList.encode(
        .dictionary(["last": .string(session.name), "sessions": .dictionary(sessions)])
      )
    }
  }

  /// The records of the other sessions that are still there.
  private func otherListings(than session: TerminalSession) -> PropertyListDictionary {
    var others = PropertyListDictionary()
    let old = (try? value(listingPath))?.dictionary?["sessions"]?.dictionary?.entries ?? []
    for record in old where record.key != session.name {
      if !TerminalSession(name: record.key).hasEnded { others.append(record.key, record.value) }
    }
    return others
  }

  package func forgetListing() throws(StorageError) {
    if try OpenFile.reading(listingPath) == nil { return }
    try locked { () throws(StorageError) in try removeListing() }
  }

  func removeListing() throws(StorageError) {
    try AtomicFile(path: listingPath).delete()
  }

  package func ledger() throws(StorageError) -> [RunRecord] {
    (try value(ledgerPath)?.array ?? []).compactMap(\.dictionary).compactMap { RunRecord($0) }
  }

  /// Adds a run to the record, which forgets the oldest ones; waits for another writer at most as
  /// long as `limit`.
  package func append(
    _ run: RunRecord,
    waitAtMost limit: Duration = .seconds(30),
  ) throws(StorageError) {
    try locked(waitAtMost: limit) { () throws(StorageError) in
      let old = (try value(ledgerPath)?.array ?? []).suffix(Self.maximumRuns - 1)
      let runs = PropertyListValue.array(old + [.dictionary(run.dictionary())])
      try AtomicFile(path: ledgerPath).replace(PropertyList.encode(runs))
    }
  }

  private var habitsPath: String { path("habits.plist") }

  /// When the reader looks; nil when nothing is known of that.
  package func habits() throws(StorageError) -> ReadingHabits? {
    guard let habits = try value(habitsPath)?.dictionary,
      let since = habits["since"]?.asDate, let date = habits["date"]?.asDate
    else { return nil }
    let looks = (habits["looks"]?.array ?? []).compactMap(\.number)
    return ReadingHabits(looks: looks, since: since, date: date)
  }

  /// Notes that the reader looks now, in an hour of the week; once an hour is enough.
  ///
  /// Waits neither for the disk nor for a writer: a look that is lost is none.
  package func noteLook(_ hour: Int, at now: Date) throws(StorageError) {
    let old = try? habits()
    let thisHour = Int(now.timeIntervalSince1970) / 3600
    if let old, Int(old.date.timeIntervalSince1970) / 3600 == thisHour { return }
    // Nothing begins with a look.
    guard try place() != nil else { return }
    let habits = old?.noting(hour, at: now) ?? ReadingHabits(firstLook: hour, at: now)
    try AtomicFile(path: habitsPath).replaceUnsynced { () throws(StorageError) in
      PropertyList.encode(
        .dictionary([
          "looks": .array(habits.looks.map { .real($0) }),
          "since": .date(habits.since.timeIntervalSinceReferenceDate),
          "date": .date(habits.date.timeIntervalSinceReferenceDate),
        ])
      )
    }
  }

  package func forgetHabits() throws(StorageError) {
    if try OpenFile.reading(habitsPath) == nil { return }
    try locked { () throws(StorageError) in try AtomicFile(path: habitsPath).delete() }
  }

  private var noticePath: String { path("notified.plist") }

  /// nil before the first notice.
  package func lastNotice() throws(StorageError) -> NoticeRecord? {
    let record = try value(noticePath)?.dictionary
    return record?["date"]?.asDate.map {
      NoticeRecord(date: $0, untold: min(record?["untold"]?.asCount ?? 0, 1 << 31))
    }
  }

  package func save(_ notice: NoticeRecord) throws(StorageError) {
    try AtomicFile(path: noticePath).replaceUnsynced { () throws(StorageError) in
      PropertyList.encode(
        .dictionary([
          "date": .date(notice.date.timeIntervalSinceReferenceDate),
          "untold": .integer(Int64(notice.untold)),
        ])
      )
    }
  }

  private func value(_ path: String) throws(StorageError) -> PropertyListValue? {
    guard let (reader, _) = try Self.reader(path) else { return nil }
    return try ItemTable.reading(path) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
  }
}

/// When the reader was last told of new stories on the desktop.
package struct NoticeRecord: Hashable, Sendable {
  package let date: Date
  /// New stories since then.
  package let untold: Int

  package init(date: Date, untold: Int) {
    (self.date, self.untold) = (date, untold)
  }
}

extension RunRecord {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let started = dictionary["started"]?.asDate,
      let outcome = dictionary["outcome"]?.string.flatMap({ Outcome(rawValue: $0) })
    else { return nil }
    self.init(started: started, command: dictionary["command"]?.string ?? "", outcome: outcome)
    asked = dictionary["asked"]?.asCount ?? 0
    failed = dictionary["failed"]?.asCount ?? 0
    new = dictionary["new"]?.asCount ?? 0
    changed = dictionary["changed"]?.asCount ?? 0
    stored = dictionary["stored"]?.asCount ?? 0
    let seconds = dictionary["seconds"]?.number ?? 0
    self.seconds = seconds.isFinite ? min(max(seconds, 0), 1e9) : 0
    isOnlyDue = dictionary["due"]?.boolean ?? false
    requests = dictionary["requests"]?.asCount ?? 0
    bytes = dictionary["bytes"]?.asCount ?? 0
    left = dictionary["left"]?.asCount ?? 0
    unchanged = dictionary["unchanged"]?.asCount ?? 0
    savedBytes = dictionary["savedBytes"]?.asCount ?? 0
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    [
      "started": .date(started.timeIntervalSinceReferenceDate),
      "command": .string(command), "outcome": .string(outcome.rawValue),
      "asked": .integer(Int64(asked)), "failed": .integer(Int64(failed)),
      "new": .integer(Int64(new)), "changed": .integer(Int64(changed)),
      "stored": .integer(Int64(stored)), "seconds": .real(seconds),
      "due": .boolean(isOnlyDue), "requests": .integer(Int64(requests)),
      "bytes": .integer(Int64(bytes)), "left": .integer(Int64(left)),
      "unchanged": .integer(Int64(unchanged)), "savedBytes": .integer(Int64(savedBytes)),
    ]
  }
}

/// What a list numbered: a view that decodes only what it is asked for.
///
/// The file has a record for each terminal session. Its stories are an array of their `id`s, each
/// followed by the place in the data file that it had then. Earlier versions wrote one such array
/// alone, at first without places.
package struct ListingTable: Sendable {
  package let count: Int
  /// When the data file was saved whose new stories the session has seen; nil where nobody knows.
  package let seen: Date?
  private let reader: BinaryPropertyListReader
  private let path: String
  private let array: Int
  private let width: Int

  init?(
    _ reader: BinaryPropertyListReader,
    of session: TerminalSession,
    path: String,
  ) throws(StorageError) {
    self.reader = reader
    self.path = path
    var array = reader.root
    var seen: Double?
    let form = try ItemTable.reading(path) { () throws(PropertyListError) in
      if let record = try Self.record(of: session, in: reader) {
        array = try reader.value(of: "stories", in: record) ?? reader.root
        if let date = try reader.value(of: "seen", in: record) { seen = try reader.date(date) }
      }
      let elements = try reader.arrayCount(array)
      let second = try reader.element(array, at: 1)
      return (elements, hasPlaces: try second.map(reader.string) == .some(nil))
    }
    guard let elements = form.0 else { return nil }
    self.array = array
    self.seen = seen.map { Date(timeIntervalSinceReferenceDate: $0) }
    width = form.hasPlaces ? 2 : 1
    count = elements / width
  }

  private static func record(
    of session: TerminalSession,
    in reader: BinaryPropertyListReader,
  ) throws(PropertyListError) -> Int? {
    guard let sessions = try reader.value(of: "sessions", in: reader.root) else { return nil }
    if let own = try reader.value(of: session.name, in: sessions) { return own }
    guard let last = try reader.value(of: "last", in: reader.root),
      let name = try reader.string(last)
    else { return nil }
    return try reader.value(of: name, in: sessions)
  }

  /// The `id` of the story with a number from 1 to `count`, and where to look for it first.
  package func story(_ number: Int) throws(StorageError) -> (id: String, place: Int) {
    try ItemTable.reading(path) { () throws(PropertyListError) in
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
