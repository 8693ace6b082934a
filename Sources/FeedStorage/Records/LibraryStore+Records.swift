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

  package func habits() throws -> ReadingHabits? { try habitsFile.read() }

  /// Notes that the user looks now, in an hour of the week; one look an hour is enough.
  ///
  /// It waits neither for the disk nor for a writer: a lost look does no harm.
  package func noteVisit(_ hour: Int, at now: Date) throws {
    let old = try? habits()
    let thisHour = Int(now.timeIntervalSince1970) / 3600
    if let old, Int(old.date.timeIntervalSince1970) / 3600 == thisHour { return }
    // No home is made for a look.
    guard try homeFile() != nil else { return }
    try habitsFile.replaceUnsynced(
      by: old?.noting(hour, at: now) ?? ReadingHabits(firstLook: hour, at: now)
    )
  }

  package func forgetHistory() throws {
    for path in [habitsFile.path, browsePlaceFile.path] where try OpenFile.reading(path) != nil {
      try locked { try AtomicFile(path: path).delete() }
    }
  }

  private var noticeFile: PropertyListFile<NoticeRecord> {
    PropertyListFile(
      path: path("notified.plist"),
      coding: .dictionary(NoticeRecord.table),
      damage: nil,
    )
  }

  package func lastNotice() throws -> NoticeRecord? { try noticeFile.read() }

  package func save(_ notice: NoticeRecord) throws {
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

package struct NoticeRecord: Hashable, Sendable {
  package private(set) var date: Date
  package private(set) var unannounced: Int
  /// The titles of some stories that are not announced yet, the newest first.
  package private(set) var titles: [String]

  package init(date: Date, unannounced: Int, titles: [String] = []) {
    (self.date, self.unannounced, self.titles) = (date, unannounced, titles)
  }

  fileprivate static let table: PropertyListTable<NoticeRecord> = .init(
    NoticeRecord(date: .distantPast, unannounced: 0),
    [
      .init("date", { $1(&$0.date) }, required: .date),
      .init("untold", { $1(&$0.unannounced) }, always: .count(atMost: 1 << 31)),
      .init("titles", { $1(&$0.titles) }, .strings),
    ],
  )
}
