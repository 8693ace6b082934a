package import FeedModel
internal import PropertyLists
internal import System

/// The record of runs: `ledger.plist`, and beside it a small file with the last ones, which are
/// moved into it now and then.
///
/// A run writes the small file alone; the large one has two megabytes.
extension LibraryStore {
  private static let (old, recent) = (StoreFile.ledger.name, StoreFile.recentRuns.name)
  private static let maximumRuns = 10_000
  /// The most runs in the small file, which has some ten kilobytes.
  private static let maximumRecentRuns = 64

  package func ledger() throws -> [RunRecord] {
    try runs(with: try runs(in: Self.recent)).compactMap(RunRecord.coding.decode)
  }

  /// Returns the last run, which is in the small file but for right after a move.
  package func lastRun() throws -> RunRecord? {
    try (runs(in: Self.recent).last ?? runs(in: Self.old).last).flatMap(RunRecord.coding.decode)
  }

  package func append(_ run: RunRecord, waitAtMost limit: Duration = .seconds(30)) throws {
    try locked(waitAtMost: limit) {
      var recent = try runs(in: Self.recent)
      if recent.count >= Self.maximumRecentRuns {
        try runsFile(Self.old).replace(by: runs(with: recent))
        recent = []
      }
      recent.append(RunRecord.coding.encode(run))
      try runsFile(Self.recent).replace(by: recent)
    }
  }

  /// The runs of both files; an interrupted move has left the last ones in both.
  private func runs(with recent: [PropertyListValue]) throws -> [PropertyListValue] {
    let old = try runs(in: Self.old)
    let isFolded = !recent.isEmpty && Array(old.suffix(recent.count)) == recent
    return (isFolded ? old : old + recent).suffix(Self.maximumRuns)
  }

  func runs(in name: String) throws -> [PropertyListValue] { try runsFile(name).read() ?? [] }

  private func runsFile(_ name: String) -> PropertyListFile<[PropertyListValue]> {
    PropertyListFile(path: path(name), coding: .array(of: .value), damage: nil)
  }
}

extension RunRecord {
  fileprivate static let coding = PropertyListCoding.dictionary(table)

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
