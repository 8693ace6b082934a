package import FeedModel
internal import PropertyLists
internal import System

/// The file `changes.plist`: what was changed here and is not merged yet.
///
/// It is there as soon as the home has been synchronized once, and saved with each change, before
/// the stories and subscriptions: who is stopped in between has told of a change that the next sync
/// makes here, too. A dictionary with the marks as data and the others as an array of dictionaries.
struct ChangesFile {
  let path: String

  static let version = 1
  static let maximumSize = 256 << 20

  /// nil where there is none; what is damaged is no record, as if it were lost.
  func read() -> RecordedChanges? {
    guard let (reader, _) = (try? LibraryStore.reader(path, atMost: Self.maximumSize)) ?? nil,
      let root = (try? reader.value(reader.root))?.dictionary,
      Int(root["version"]?.integer ?? 1) <= Self.version,
      let last = root["last"]?.integer, last >= 0
    else { return nil }
    var changes = RecordedChanges(last: UInt64(last))
    for setting in (root["settings"]?.array ?? []).lazy.compactMap(\.dictionary) {
      guard let (key, value) = SyncKey.pair(setting), let time = setting["time"]?.integer, time >= 0
      else { return nil }
      changes.settings[key] = RecordedChanges.SettingChange(value, time: UInt64(time))
    }
    guard case .data(let bytes)? = root["marks"] else { return changes }
    return Self.readMarks(bytes, &changes) ? changes : nil
  }

  private static let headSize = 18

  private static func readMarks(_ bytes: [UInt8], _ changes: inout RecordedChanges) -> Bool {
    var start = 0
    while start + headSize <= bytes.count {
      let (flags, count) = (bytes[start + 16], Int(bytes[start + 17]))
      guard start + headSize + 8 * count <= bytes.count,
        let mark = SyncKey.StoryMark(rawValue: flags & 0x7F)
      else { return false }
      let keys = (0..<count).map { bytes.number(at: start + headSize + 8 * $0, width: 8) }
      let story = RecordedChanges.Mark(bytes.number(at: start, width: 8), mark)
      changes.marks[story] = RecordedChanges.MarkChange(
        isSet: flags & 0x80 > 0,
        keys: keys,
        time: bytes.number(at: start + 8, width: 8),
      )
      start += headSize + 8 * count
    }
    return start == bytes.count
  }

  func prepare(_ changes: RecordedChanges) throws(StorageError) -> PreparedFile {
    let bytes = Self.bytes(changes)
    return try AtomicFile(path: path).prepare { sink throws(StorageError) in
      try AtomicFile.pass(bytes, to: sink)
    }
  }

  func save(_ changes: RecordedChanges) throws(StorageError) {
    try AtomicFile(path: path).replace(Self.bytes(changes))
  }

  private static func bytes(_ changes: RecordedChanges) -> [UInt8] {
    var marks: [UInt8] = []
    let sorted = changes.marks.sorted {
      ($0.value.time, $0.key.story, $0.key.mark.rawValue)
        < ($1.value.time, $1.key.story, $1.key.mark.rawValue)
    }
    for (mark, change) in sorted {
      let keys = change.keys.prefix(255)
      marks.append(mark.story, width: 8)
      marks.append(change.time, width: 8)
      marks.append(mark.mark.rawValue | (change.isSet ? 0x80 : 0))
      marks.append(UInt8(keys.count))
      for key in keys { marks.append(key, width: 8) }
    }
    let settings = SyncKey.sorted(changes.settings).map { key, change -> PropertyListValue in
      var setting = key.dictionary(change.value)
      setting.append("time", .integer(Int64(clamping: change.time)))
      return .dictionary(setting)
    }
    return PropertyList.encode(
      .dictionary([
        "version": .integer(Int64(version)), "last": .integer(Int64(clamping: changes.last)),
        "marks": .data(marks), "settings": .array(settings),
      ])
    )
  }
}

extension LibraryStore {
  var changesFile: ChangesFile { ChangesFile(path: path("changes.plist")) }

  /// What was changed here since the last merge; nil where nothing says so: a home that is new to
  /// synchronizing, or a file that was lost.
  package func recordedChanges() -> RecordedChanges? { changesFile.read() }

  /// Ends recording, where there is nothing left to synchronize with.
  package func forgetChanges() throws(StorageError) {
    try locked { () throws(StorageError) in
      try AtomicFile(path: changesFile.path).delete()
    }
  }

  /// The record with what a change does that somebody has made; nil where nothing is to be noted.
  func recording(
    _ change: LibraryChange,
    of library: Library,
  ) throws(StorageError) -> RecordedChanges? {
    guard change.sync == nil, !change.isOfOthers, let date = change.made,
      var changes = changesFile.read()
    else {
      return nil
    }
    let old = changes
    changes.advance(to: date)
    try note(marksOf: change, of: library, in: &changes)
    if change.subscriptions != nil || change.rules != nil {
      let rules = try change.rules == nil ? [] : self.rules()
      let before = SharedSettings(library.subscriptions, rules)
      let after = SharedSettings(
        change.subscriptions ?? library.subscriptions,
        change.rules ?? rules,
      )
      changes.note(after.changes(since: before))
    }
    return changes.marks == old.marks && changes.settings == old.settings ? nil : changes
  }

  private func note(
    marksOf change: LibraryChange,
    of library: Library,
    in changes: inout RecordedChanges,
  ) throws(StorageError) {
    let subscriptions = change.subscriptions ?? library.subscriptions
    let names = SharedNames(library.subscriptions)
    var places: [(places: Range<Int>, marks: ItemMarks)] = []
    for edit in change.items ?? [] {
      switch edit {
      case .mark(let range, let marks): places.append((range, marks))
      case .adjust(let place, let adjustment):
        places.append((place..<place + 1, adjustment.marks))
      case .replace(let place, let story):
        let marks = try library.items.item(at: place).marks(becoming: story)
        places.append((place..<place + 1, marks))
      default: break
      }
    }
    if var reader = ItemReader(library.items) {
      for (range, marks) in places where marks != ItemMarks() {
        for place in range {
          try reader.move(to: place)
          changes.note(marks, of: try reader.number(), keys: try names.keys(of: &reader))
        }
      }
      for place in change.unbrought {
        try reader.move(to: place)
        let old = try reader.marks()
        let marks = ItemMarks(
          isRead: old.isRead == true ? false : nil,
          isStarred: old.isStarred == true ? false : nil,
        )
        changes.note(marks, of: try reader.number(), keys: try names.keys(of: &reader))
      }
    }
    for (number, marks) in change.brought {
      guard let story = try change.source?(number) else { continue }
      changes.note(
        marks,
        of: ItemID.number(ofAny: story.id),
        keys: SharedMarks.keys(of: story, subscriptions),
      )
    }
  }
}

extension StoredItem {
  fileprivate func marks(becoming new: StoredItem) -> ItemMarks {
    ItemMarks(
      isRead: new.isRead == isRead ? nil : new.isRead,
      isStarred: new.isStarred == isStarred ? nil : new.isStarred,
    )
  }
}

extension RecordedChanges {
  fileprivate mutating func note(_ marks: ItemMarks, of story: UInt64, keys: [UInt64]) {
    if let isRead = marks.isRead { note(Mark(story, .read), isRead, keys: keys) }
    if let isStarred = marks.isStarred { note(Mark(story, .starred), isStarred, keys: keys) }
  }
}
