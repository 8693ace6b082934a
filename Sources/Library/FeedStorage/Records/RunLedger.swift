package import FeedModel
internal import PropertyLists
internal import System

/// The record of runs: `ledger.plist`, and beside it a small file with the last ones, which are
/// moved into it now and then.
///
/// A run writes the small file alone; the large one has two megabytes.
struct RunLedger {
  let store: LibraryStore

  private var path: String { store.path(.ledger) }
  private var recentPath: String { store.path(.recentRuns) }

  static let maximumRuns = 10_000
  /// The most runs in the small file, which has some ten kilobytes.
  static let maximumRecent = 64

  func runs() throws -> [RunRecord] {
    let coding = PropertyListCoding.dictionary(RunRecord.table)
    return try all(with: try list(recentPath)).compactMap(coding.decode)
  }

  /// Returns the last run, which is in the small file but for right after a move.
  func last() throws -> RunRecord? {
    let coding = PropertyListCoding.dictionary(RunRecord.table)
    return try (list(recentPath).last ?? list(path).last).flatMap(coding.decode)
  }

  func runs(in name: String) throws -> Int { try list(store.path(name)).count }

  func append(_ run: RunRecord) throws {
    var recent = try list(recentPath)
    if recent.count >= Self.maximumRecent {
      let runs = try all(with: recent)
      try file(path).replace(by: runs)
      recent = []
    }
    recent.append(.dictionary(RunRecord.table.dictionary(run)))
    try file(recentPath).replace(by: recent)
  }

  /// The runs of both files; an interrupted move has left the last ones in both.
  private func all(with recent: [PropertyListValue]) throws -> [PropertyListValue] {
    let old = try list(path)
    let isFolded = !recent.isEmpty && Array(old.suffix(recent.count)) == recent
    return (isFolded ? old : old + recent).suffix(Self.maximumRuns)
  }

  private func list(_ path: String) throws -> [PropertyListValue] {
    try file(path).read() ?? []
  }

  private func file(_ path: String) -> PropertyListFile<[PropertyListValue]> {
    PropertyListFile(path: path, coding: .array(of: .value), damage: nil)
  }
}

extension LibraryStore {
  package func ledger() throws -> [RunRecord] {
    try RunLedger(store: self).runs()
  }

  package func lastRun() throws -> RunRecord? {
    try RunLedger(store: self).last()
  }

  package func append(_ run: RunRecord, waitAtMost limit: Duration = .seconds(30)) throws {
    try locked(waitAtMost: limit) {
      try RunLedger(store: self).append(run)
    }
  }
}

extension RunRecord {
  fileprivate static let table: PropertyListTable<RunRecord> = .init(
    RunRecord(started: .distantPast, command: "", outcome: .failed),
    [
      .init("started", { $1(&$0.started) }, required: .date),
      .init("command", { $1(&$0.command) }, always: .string),
      .init("outcome", { $1(&$0.outcome) }, required: .word),
      .init("asked", { $1(&$0.asked) }, always: .count),
      .init("failed", { $1(&$0.failed) }, always: .count),
      .init("new", { $1(&$0.new) }, always: .count),
      .init("changed", { $1(&$0.changed) }, always: .count),
      .init("stored", { $1(&$0.stored) }, always: .count),
      .init("seconds", { $1(&$0.seconds) }, always: .elapsed),
      .init("due", { $1(&$0.isOnlyDue) }, always: .boolean),
      .init("metered", { $1(&$0.isMetered) }, .boolean),
      .init("requests", { $1(&$0.requests) }, always: .count),
      .init("bytes", { $1(&$0.bytes) }, always: .count),
      .init("left", { $1(&$0.left) }, always: .count),
      .init("unchanged", { $1(&$0.unchanged) }, always: .count),
      .init("savedBytes", { $1(&$0.savedBytes) }, always: .count),
    ],
  )
}

extension PropertyListCoding where Value == Double {
  fileprivate static var elapsed: Self {
    Self(
      decode: { $0.number.flatMap { $0.isFinite ? min(max($0, 0), 1e9) : nil } },
      encode: { .real($0) },
    )
  }
}
