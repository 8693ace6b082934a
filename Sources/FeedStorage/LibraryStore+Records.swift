package import FeedModel
internal import PropertyLists
internal import System

extension LibraryStore {
  private var listingPath: String { path("listing.plist") }
  private var ledgerPath: String { path("ledger.plist") }

  static let maximumRuns = 10_000

  /// What the last `news list` numbered; nil when there is no record.
  package func listing() throws(StorageError) -> ListingTable? {
    guard let (reader, _) = try Self.reader(listingPath) else { return nil }
    return try ListingTable(reader, path: listingPath)
  }

  /// Remembers what was numbered from 1: the stories' `id`s and their places in the data file.
  ///
  /// Waits neither for the disk nor for a writer: what is lost is numbered again by the next list.
  package func saveListing(_ ids: [String], places: [Int]) throws(StorageError) {
    try prepareHome()
    _ = try SubscriptionsFile(path: subscriptionsPath).reader()
    let list = zip(ids, places).flatMap { id, place in
      [PropertyListValue.string(id), .integer(Int64(place))]
    }
    try AtomicFile(path: listingPath).replaceUnsynced(PropertyList.encode(.array(list)))
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

  private func value(_ path: String) throws(StorageError) -> PropertyListValue? {
    guard let (reader, _) = try Self.reader(path) else { return nil }
    return try ItemTable.reading(path) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
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
    stored = dictionary["stored"]?.asCount ?? 0
    let seconds = dictionary["seconds"]?.number ?? 0
    self.seconds = seconds.isFinite ? min(max(seconds, 0), 1e9) : 0
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    [
      "started": .date(started.timeIntervalSinceReferenceDate),
      "command": .string(command), "outcome": .string(outcome.rawValue),
      "asked": .integer(Int64(asked)), "failed": .integer(Int64(failed)),
      "new": .integer(Int64(new)), "stored": .integer(Int64(stored)), "seconds": .real(seconds),
    ]
  }
}

/// What the last `news list` numbered: a view that decodes only what it is asked for.
///
/// The file is an array of the stories' `id`s, each followed by the place in the data file that it
/// had then. Versions that knew no places skip them, and wrote `id`s alone.
package struct ListingTable: Sendable {
  package let count: Int
  private let reader: BinaryPropertyListReader
  private let path: String
  private let width: Int

  init?(_ reader: BinaryPropertyListReader, path: String) throws(StorageError) {
    self.reader = reader
    self.path = path
    let (elements, hasPlaces) = try ItemTable.reading(path) { () throws(PropertyListError) in
      let elements = try reader.arrayCount(reader.root)
      guard let second = try reader.element(reader.root, at: 1) else { return (elements, false) }
      return (elements, try reader.string(second) == nil)
    }
    guard let elements else { return nil }
    width = hasPlaces ? 2 : 1
    count = elements / width
  }

  /// The `id` of the story with a number from 1 to `count`, and where to look for it first.
  package func story(_ number: Int) throws(StorageError) -> (id: String, place: Int) {
    try ItemTable.reading(path) { () throws(PropertyListError) in
      let first = (number - 1) * width
      var id: String?
      if let object = try reader.element(reader.root, at: first) { id = try reader.string(object) }
      guard width > 1, let object = try reader.element(reader.root, at: first + 1) else {
        return (id ?? "", number - 1)
      }
      return (id ?? "", try reader.value(object).asCount ?? 0)
    }
  }
}
