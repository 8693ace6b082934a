package import FeedModel
internal import PropertyLists
package import System

extension LibraryStore {
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

  func value(_ path: String) throws(StorageError) -> PropertyListValue? {
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
