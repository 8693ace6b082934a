package import FeedModel
internal import System

extension LibraryStore {
  /// Returns the changes made here since the last merge; nil for a home that is new to
  /// synchronizing, or a lost log.
  package func recordedChanges() -> RecordedChanges? { try? historyFile().untold() }

  /// Throws the reason why the log cannot say what others are to hear.
  package func checkRecordedChanges() throws { _ = try historyFile().untold() }

  package func forgetChanges() throws { try locked { try historyFile().tell(nil) } }

  /// Returns the record with a change that somebody has made; nil if there is nothing to note.
  func recording(
    _ change: LibraryChange,
    of library: Library,
    madeFrom generation: StoreGeneration,
  ) throws -> RecordedChanges? {
    guard change.agreements.machines == nil, let origin = change.origin, !origin.isOfOthers,
      var changes = recordedChanges()
    else {
      return nil
    }
    if changes.count > 0, isSyncSavedLast, let taken = (try? syncState())?.taken {
      changes.drop(until: taken)
    }
    let old = changes
    changes.advance(to: origin.date)
    changes.isAnswer = origin.answered != nil
    try note(marksOf: change, of: library, in: &changes)
    if change.feeds.subscriptions != nil || change.rules != nil {
      let rules = try change.rules == nil ? [] : self.rules()
      let before = SharedSettings(library.subscriptions, rules)
      let after = SharedSettings(
        change.feeds.subscriptions ?? library.subscriptions,
        change.rules ?? rules,
      )
      changes.note(after.changes(since: before), over: before.values)
    }
    guard changes.marks != old.marks || changes.settings != old.settings else { return nil }
    changes.noteFormer(old)
    changes.before = generation.files
    return changes
  }

  /// True where a sync was killed before it emptied the record of what it had taken.
  private var isSyncSavedLast: Bool {
    guard let sync = FileStatus(at: path(.sync)), let log = FileStatus(at: path(.history)) else {
      return false
    }
    return sync.modified > log.modified
  }

  private func note(
    marksOf change: LibraryChange,
    of library: Library,
    in changes: inout RecordedChanges,
  ) throws {
    let (stories, names) = (change.stories, SharedNames(library.subscriptions))
    try stories.forEachAdjustment(of: library.items) { range, new in
      try library.items.forEachStory(at: new.hasFacts ? range : 0..<0) { _, story in
        let old = new.tags == nil ? [] : try story.strings(.tags)
        let tags = new.tags.map { (old: old, new: $0) }
        let (number, keys) = (try story.number(), try names.keys(of: &story))
        let texts = try new.texts.isEmpty ? [:] : story.typedTexts()
        changes.note(new.marks, tags, new.texts, over: texts, of: number, keys)
      }
    }
    try library.items.forEachStory(at: stories.withdrawn) { _, story in
      let marks = ItemMarks(from: try story.flags(), to: StoryFlags())
      let tags = (old: try story.strings(.tags), new: [String]())
      let texts = try story.typedTexts().mapValues { _ in "" }
      let (number, keys) = (try story.number(), try names.keys(of: &story))
      changes.note(marks, tags, texts, over: try story.typedTexts(), of: number, keys)
    }
    try note(deletionsOf: change, of: library, names, in: &changes)
    guard let made = stories.made, !made.marked.isEmpty else { return }
    let subscriptions = change.feeds.subscriptions ?? library.subscriptions
    for (number, marks) in made.marked {
      let story = try made.story(number)
      let keys = SharedMarks.keys(of: story, subscriptions)
      let number = ItemID.number(ofAny: story.id)
      changes.note(marks, ([], story.tags), story.typedTexts, over: [:], of: number, keys)
    }
  }
}

extension LibraryStore {
  private func note(
    deletionsOf change: LibraryChange,
    of library: Library,
    _ names: SharedNames,
    in changes: inout RecordedChanges,
  ) throws {
    try library.items.forEachStory(at: change.stories.deleted) { _, story in
      let mark = RecordedChanges.Mark(try story.number(), .deleted)
      changes.note(mark, .yes, was: SyncValue.none, keys: try names.keys(of: &story))
    }
    guard let origin = change.origin, origin.answered != nil else { return }
    // What was told before is not told again with the story that comes back.
    let told = origin.isBack ? MarksElsewhere(of: self, library.subscriptions) : nil
    try change.stories.forEachReturned { story, new in
      let (number, keys) = (try story.number(), try names.keys(of: &story))
      if origin.isForGood {
        changes.note(RecordedChanges.Mark(number, .deleted), .none, was: .yes, keys: keys)
      }
      var back = RecordedChanges()
      let marks = ItemMarks(from: StoryFlags(), to: new.marks.applied(to: try story.flags()))
      let tags = (old: [String](), new: try new.tags ?? story.strings(.tags))
      let texts = try story.typedTexts().merging(new.texts) { $1 }.filter { !$0.value.isEmpty }
      back.note(marks, tags, texts, over: [:], of: number, keys)
      for (mark, change) in back.marks where told?.knows(mark, keys) != true {
        changes.note(mark, change.value, keys: keys)
      }
    }
  }

  package var isSynchronized: Bool { recordedChanges() != nil }
}

extension RecordedChanges {
  fileprivate mutating func note(
    _ marks: ItemMarks,
    _ tags: (old: [String], new: [String])?,
    _ texts: [SyncKey.StoryMark: String],
    over old: [SyncKey.StoryMark: String],
    of story: UInt64,
    _ keys: [UInt64],
  ) {
    for (mark, text) in texts {
      let former = SyncValue(text: old[mark])
      note(Mark(story, mark), text.isEmpty ? .none : .text(text), was: former, keys: keys)
    }
    for flag in StoryFlag.allCases {
      guard let isSet = marks[flag] else { continue }
      let (new, old): (SyncValue, SyncValue) = isSet ? (.yes, .none) : (.none, .yes)
      note(Mark(story, .flag(flag)), new, was: old, keys: keys)
    }
    guard let tags else { return }
    let (old, new) = (
      tags.old.map(SyncKey.StoryMark.tagged), tags.new.map(SyncKey.StoryMark.tagged),
    )
    for (mark, value) in old where !new.contains(where: { $0.mark == mark }) {
      note(Mark(story, mark), .none, was: value, keys: keys)
    }
    for (mark, value) in new where !old.contains(where: { $0.mark == mark }) {
      note(Mark(story, mark), value, was: SyncValue.none, keys: keys)
    }
  }
}
