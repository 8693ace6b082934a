package import FeedModel
internal import PropertyLists
package import System

extension LibraryStore {
  private var habitsFile: PropertyListFile<ReadingHabits> {
    PropertyListFile(
      path: path("habits.plist"),
      coding: .dictionary(ReadingHabits.table).accepting(\.isSound),
      damage: nil,
    )
  }

  /// When the reader looks; nil when nothing is known of that.
  package func habits() throws(StorageError) -> ReadingHabits? { try habitsFile.read() }

  /// Notes that the reader looks now, in an hour of the week; once an hour is enough.
  ///
  /// Waits neither for the disk nor for a writer: a look that is lost is none.
  package func noteVisit(_ hour: Int, at now: Date) throws(StorageError) {
    let old = try? habits()
    let thisHour = Int(now.timeIntervalSince1970) / 3600
    if let old, Int(old.date.timeIntervalSince1970) / 3600 == thisHour { return }
    // Nothing begins with a look.
    guard try homeFile() != nil else { return }
    try habitsFile.replaceUnsynced(
      by: old?.noting(hour, at: now) ?? ReadingHabits(firstLook: hour, at: now)
    )
  }

  /// Forgets when the reader looked, and where the table view was left.
  package func forgetHistory() throws(StorageError) {
    for path in [habitsFile.path, browsePlaceFile.path] where try OpenFile.reading(path) != nil {
      try locked { () throws(StorageError) in try AtomicFile(path: path).delete() }
    }
  }

  private var noticeFile: PropertyListFile<NoticeRecord> {
    PropertyListFile(
      path: path("notified.plist"),
      coding: .dictionary(NoticeRecord.table),
      damage: nil,
    )
  }

  /// nil before the first notice.
  package func lastNotice() throws(StorageError) -> NoticeRecord? { try noticeFile.read() }

  package func save(_ notice: NoticeRecord) throws(StorageError) {
    try noticeFile.replaceUnsynced(by: notice)
  }
}

extension ReadingHabits {
  fileprivate static let table: PropertyListTable<ReadingHabits> = .init(
    ReadingHabits(firstLook: 0, at: .distantPast),
    [
      .init("looks", { $1(&$0.looks) }, required: .list(of: .real)),
      .init("since", { $1(&$0.since) }, required: .date),
      .init("date", { $1(&$0.date) }, required: .date),
    ],
  )
}

/// When the reader was last told of new stories on the desktop.
package struct NoticeRecord: Hashable, Sendable {
  package private(set) var date: Date
  /// New stories since then.
  package private(set) var unannounced: Int

  package init(date: Date, unannounced: Int) {
    (self.date, self.unannounced) = (date, unannounced)
  }

  fileprivate static let table: PropertyListTable<NoticeRecord> = .init(
    NoticeRecord(date: .distantPast, unannounced: 0),
    [
      .init("date", { $1(&$0.date) }, required: .date),
      .init("untold", { $1(&$0.unannounced) }, always: .count(atMost: 1 << 31)),
    ],
  )
}
