package import FeedModel
internal import PropertyLists
internal import System

/// The record of runs: `ledger.plist`, and beside it the last ones, which are folded in now and then.
///
/// A run writes the small file alone; the large one is two megabytes.
struct RunLedger {
  let store: LibraryStore

  private var path: String { store.path("ledger.plist") }
  private var recentPath: String { store.path(Self.recentName) }

  static let recentName = "runs.plist"
  static let maximumRuns = 10_000
  /// Runs of the small file, which are some ten kilobytes.
  static let maximumRecent = 64

  func runs() throws(StorageError) -> [RunRecord] {
    try all(with: try list(recentPath)).compactMap(\.dictionary).compactMap { RunRecord($0) }
  }

  /// The runs of one of the two files.
  func runs(in name: String) throws(StorageError) -> Int { try list(store.path(name)).count }

  /// Adds a run; the caller holds the lock.
  func append(_ run: RunRecord) throws(StorageError) {
    var recent = try list(recentPath)
    if recent.count >= Self.maximumRecent {
      let runs = try all(with: recent)
      try AtomicFile(path: path).replace(PropertyList.encode(.array(runs)))
      recent = []
    }
    recent.append(.dictionary(run.dictionary()))
    try AtomicFile(path: recentPath).replace(PropertyList.encode(.array(recent)))
  }

  /// The runs of both files; a fold that was cut short has left the last ones in both.
  private func all(with recent: [PropertyListValue]) throws(StorageError) -> [PropertyListValue] {
    let old = try list(path)
    let isFolded = !recent.isEmpty && Array(old.suffix(recent.count)) == recent
    return (isFolded ? old : old + recent).suffix(Self.maximumRuns)
  }

  private func list(_ path: String) throws(StorageError) -> [PropertyListValue] {
    try store.value(path)?.array ?? []
  }
}

extension LibraryStore {
  package func ledger() throws(StorageError) -> [RunRecord] {
    try RunLedger(store: self).runs()
  }

  /// Adds a run to the record, which forgets the oldest ones; waits for another writer at most as
  /// long as `limit`.
  package func append(
    _ run: RunRecord,
    waitAtMost limit: Duration = .seconds(30),
  ) throws(StorageError) {
    try locked(waitAtMost: limit) { () throws(StorageError) in
      try RunLedger(store: self).append(run)
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
