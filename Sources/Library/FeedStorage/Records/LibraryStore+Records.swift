package import FeedModel
package import System

extension LibraryStore {
  private var habitsFile: PropertyListFile<ReadingHabits> {
    record(.habits, .dictionary(ReadingHabits.table).accepting(\.isSound))
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

  /// Notes that unread stories of these feeds were opened now, in an hour of the week.
  package func noteOpened(_ feeds: [String], _ hour: Int, at now: Date) throws {
    guard !feeds.isEmpty, try homeFile() != nil else { return }
    var noted = (try? habits()) ?? ReadingHabits(firstLook: hour, at: now)
    noted.noteOpened(feeds)
    try habitsFile.replaceUnsynced(by: noted)
  }

  package func forgetHistory() throws {
    for path in [habitsFile.path, browsePlaceFile.path] where try OpenFile.reading(path) != nil {
      try locked { try AtomicFile(path: path).delete() }
    }
  }

  private var noticeFile: PropertyListFile<NoticeRecord> {
    record(.notice, .dictionary(NoticeRecord.table))
  }

  private var starsFile: PropertyListFile<ToldStars> {
    record(.stars, .dictionary(ToldStars.table))
  }

  /// Returns the ids of the starred stories that a command of the user has been told of; nil before
  /// the first time.
  package func toldStars() throws -> Set<String>? { try starsFile.read().map { Set($0.ids) } }

  package func save(toldStars ids: Set<String>) throws {
    try locked { try starsFile.replace(by: ToldStars(ids: ids.sorted())) }
  }

  package func lastNotice() throws -> NoticeRecord? { try noticeFile.read() }

  package func save(_ notice: NoticeRecord) throws {
    try noticeFile.replaceUnsynced(by: notice)
  }
}

private struct ToldStars: Hashable, Sendable {
  var ids: [String] = []

  static let table: PropertyListTable<ToldStars> = .init(
    ToldStars(),
    [.init("ids", { $1(&$0.ids) }, required: .strings)],
  )
}

extension ReadingHabits {
  fileprivate static let table: PropertyListTable<ReadingHabits> = .init(
    ReadingHabits(firstLook: 0, at: .distantPast),
    [
      .init("looks", { $1(&$0.looks) }, required: .list(of: .real)),
      .init("since", { $1(&$0.since) }, required: .date),
      .init("date", { $1(&$0.date) }, required: .date),
      .init("opened", { $1(&$0.opened) }, .dictionary(of: .count)),
    ],
  )
}

/// The time of the last notice, and what waits for the next one.
package struct NoticeRecord: Hashable, Sendable {
  package var date: Date
  /// The ids of stories that wait, and of those that came read.
  private var (unread, read): ([String], [String]) = ([], [])

  package static let most = 1_000

  package init(date: Date) {
    self.date = date
  }

  package var isEmpty: Bool { unread.isEmpty && read.isEmpty }

  package mutating func add(_ story: StoredItem) {
    guard unread.count + read.count < Self.most else { return }
    if story.isRead { read.append(story.id) } else { unread.append(story.id) }
  }

  /// Returns what waits and was neither read nor deleted since it came, the newest first.
  package func stories(in library: Library) throws -> [StoredItem] {
    let positions = try library.items.positions(of: ItemIDs(unread + read))
    return try positions.map { try library.items.item(at: $0) }
      .filter { !$0.isRead || read.contains($0.id) }
  }

  fileprivate static let table: PropertyListTable<NoticeRecord> = .init(
    NoticeRecord(date: .distantPast),
    [
      .init("date", { $1(&$0.date) }, required: .date),
      .init("unread", { $1(&$0.unread) }, .strings),
      .init("read", { $1(&$0.read) }, .strings),
    ],
  )
}
