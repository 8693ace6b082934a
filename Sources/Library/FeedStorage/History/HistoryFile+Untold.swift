internal import FeedModel
internal import PropertyLists
internal import System

/// The changes made here that other machines and servers are to hear of (`RecordedChanges`).
///
/// The log has them once the home has been synchronized, until the next merge.
extension HistoryFile {
  static let untold = PropertyListCoding<RecordedChanges>.dictionary(RecordedChanges.table)

  /// The file that had them until 27 November 2026.
  var formerPath: String { "\(store.home)/changes.plist" }

  func formerUntold() throws -> PropertyListValue? {
    try PropertyListFile(path: formerPath, coding: .value).read()
  }

  /// Returns the changes without one that was never made; nil for a home that is new to
  /// synchronizing, or a lost log.
  func untold() throws -> RecordedChanges? {
    guard let value = try StepList(path)?.untold ?? formerUntold() else { return nil }
    guard let changes = Self.untold.decode(value) else {
      throw StorageError.damaged(path: path, reason: "what it says of changes is not understood")
    }
    return isUnmade(changes) ? changes.withoutLast : changes
  }

  /// Replaces them; the caller holds the lock.
  func tell(_ changes: RecordedChanges?) throws {
    let list = try readable()
    if changes != nil || list != nil {
      let version = try FileVersion.stored(at: path) ?? .none
      try AtomicFile(path: path, .exactly(version)).replace { write in
        try Self.write(
          list?.steps ?? [],
          of: list,
          nil,
          changes.map(Self.untold.encode),
          to: write,
        )
      }
    }
    try AtomicFile(path: formerPath).delete()
  }
}
