package import FeedModel
internal import System

extension LibraryStore {
  var changesFile: ChangesFile { ChangesFile(store: self) }

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
    madeFrom generation: StoreGeneration,
  ) throws(StorageError) -> RecordedChanges? {
    guard change.sync == nil, let origin = change.origin, !origin.isOfOthers,
      var changes = changesFile.read()
    else {
      return nil
    }
    let old = changes
    changes.advance(to: origin.date)
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
    guard changes.marks != old.marks || changes.settings != old.settings else { return nil }
    changes.noteFormer(old)
    changes.before = generation.files
    return changes
  }

  private func note(
    marksOf change: LibraryChange,
    of library: Library,
    in changes: inout RecordedChanges,
  ) throws(StorageError) {
    let subscriptions = change.subscriptions ?? library.subscriptions
    let names = SharedNames(library.subscriptions)
    if var reader = ItemReader(library.items) {
      for (range, change) in try change.adjustments(of: library.items) where change.hasFacts {
        for position in range {
          try reader.move(to: position)
          let old = change.tags == nil ? [] : try reader.strings(.tags)
          let tags = change.tags.map { (old: old, new: $0) }
          let (number, keys) = (try reader.number(), try names.keys(of: &reader))
          changes.note(change.marks, tags, change.texts, of: number, keys)
        }
      }
      for position in change.unbrought {
        try reader.move(to: position)
        let old = try reader.marks()
        let marks = ItemMarks(
          isRead: old.isRead == true ? false : nil,
          isStarred: old.isStarred == true ? false : nil,
        )
        let tags = (old: try reader.strings(.tags), new: [String]())
        let texts = try reader.typedTexts().mapValues { _ in "" }
        changes.note(marks, tags, texts, of: try reader.number(), try names.keys(of: &reader))
      }
    }
    try note(deletionsOf: change, of: library, names, in: &changes)
    for (number, marks) in change.brought {
      guard let story = try change.source?(number) else { continue }
      let keys = SharedMarks.keys(of: story, subscriptions)
      let number = ItemID.number(ofAny: story.id)
      changes.note(marks, ([], story.tags), story.typedTexts, of: number, keys)
    }
  }
}

extension LibraryChange {
  /// Finds what becomes of the stored stories that stay, their content apart.
  func adjustments(
    of table: ItemTable
  ) throws(StorageError) -> [(positions: Range<Int>, new: ItemAdjustment)] {
    var all: [(positions: Range<Int>, new: ItemAdjustment)] = []
    for edit in items ?? [] {
      switch edit {
      case .mark(let range, let marks): all.append((range, ItemAdjustment(marks: marks)))
      case .adjust(let position, let new): all.append((position..<position + 1, new))
      case .replace(let position, let story):
        let new = try table.item(at: position).adjustment(to: story)
        all.append((position..<position + 1, new))
      default: break
      }
    }
    return all
  }
}

extension LibraryStore {
  /// Notes which stories are deleted, and that those are not which an edit brings back.
  private func note(
    deletionsOf change: LibraryChange,
    of library: Library,
    _ names: SharedNames,
    in changes: inout RecordedChanges,
  ) throws(StorageError) {
    if !change.deleted.isEmpty {
      // A key of several stories would take the others along.
      let stories = try SharedMarks(library.items, library.subscriptions)
      for position in change.deleted {
        let mark = RecordedChanges.Mark(stories.numbers[position], .deleted)
        changes.note(mark, .yes, keys: stories.keys(of: position))
      }
    }
    guard let other = change.other, var reader = ItemReader(other), let origin = change.origin,
      origin.answered != nil
    else { return }
    let back = (change.items ?? []).flatMap { edit -> [Int] in
      switch edit {
      case .bring(let range): Array(range)
      case .bringAdjusted(let position, _), .bringReplaced(let position, _): [position]
      default: []
      }
    }
    for position in back {
      try reader.move(to: position)
      let (number, keys) = (try reader.number(), try names.keys(of: &reader))
      if origin.isForGood {
        changes.note(RecordedChanges.Mark(number, .deleted), .none, keys: keys)
      }
      // What was added, and taken back with its marks, is there again with them.
      guard !origin.isBack else { continue }
      let marks = try reader.marks()
      let set = ItemMarks(
        isRead: marks.isRead == true ? true : nil,
        isStarred: marks.isStarred == true ? true : nil,
      )
      let tags = (old: [String](), new: try reader.strings(.tags))
      changes.note(set, tags, try reader.typedTexts(), of: number, keys)
    }
  }

  /// Whether the home has been synchronized, so that what is done is told to others.
  package var isSynchronized: Bool { FileStatus(at: changesFile.path) != nil }
}

extension StoredItem {
  fileprivate func adjustment(to new: StoredItem) -> ItemAdjustment {
    let marks = ItemMarks(
      isRead: new.isRead == isRead ? nil : new.isRead,
      isStarred: new.isStarred == isStarred ? nil : new.isStarred,
    )
    var adjustment = ItemAdjustment(
      marks: marks,
      feeds: new.feeds == feeds ? nil : new.feeds,
      tags: new.tags == tags ? nil : new.tags,
      article: new.article == article ? nil : new.article,
    )
    let (old, new) = (typedTexts, new.typedTexts)
    for mark in SyncKey.StoryMark.texts where old[mark] != new[mark] {
      adjustment.texts[mark] = new[mark] ?? ""
    }
    return adjustment
  }
}

extension RecordedChanges {
  fileprivate mutating func note(
    _ marks: ItemMarks,
    _ tags: (old: [String], new: [String])?,
    _ texts: [SyncKey.StoryMark: String],
    of story: UInt64,
    _ keys: [UInt64],
  ) {
    for (mark, text) in texts {
      note(Mark(story, mark), text.isEmpty ? .none : .text(text), keys: keys)
    }
    let states = [(SyncKey.StoryMark.read, marks.isRead), (.starred, marks.isStarred)]
    for case (let mark, let isSet?) in states {
      note(Mark(story, mark), isSet ? .yes : .none, keys: keys)
    }
    guard let tags else { return }
    let (old, new) = (
      tags.old.map(SyncKey.StoryMark.tagged), tags.new.map(SyncKey.StoryMark.tagged),
    )
    for (mark, _) in old where !new.contains(where: { $0.mark == mark }) {
      note(Mark(story, mark), .none, keys: keys)
    }
    for (mark, value) in new where !old.contains(where: { $0.mark == mark }) {
      note(Mark(story, mark), value, keys: keys)
    }
  }
}
