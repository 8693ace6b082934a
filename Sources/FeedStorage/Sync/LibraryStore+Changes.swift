package import FeedModel
internal import System

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
    var positions: [(positions: Range<Int>, marks: ItemMarks)] = []
    for edit in change.items ?? [] {
      switch edit {
      case .mark(let range, let marks): positions.append((range, marks))
      case .adjust(let position, let adjustment):
        positions.append((position..<position + 1, adjustment.marks))
      case .replace(let position, let story):
        let marks = try library.items.item(at: position).marks(becoming: story)
        positions.append((position..<position + 1, marks))
      default: break
      }
    }
    if var reader = ItemReader(library.items) {
      for (range, marks) in positions where marks != ItemMarks() {
        for position in range {
          try reader.move(to: position)
          changes.note(marks, of: try reader.number(), keys: try names.keys(of: &reader))
        }
      }
      for position in change.unbrought {
        try reader.move(to: position)
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
