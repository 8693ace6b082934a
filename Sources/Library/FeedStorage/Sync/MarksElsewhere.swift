package import FeedModel
package import System

/// Changes by other machines to the marks of stories that were away here.
///
/// The removal of a mark is forgotten once all machines have heard of it, if the story is not
/// stored. So a mark that was told of, and that nobody knows any more, was removed.
package struct MarksElsewhere {
  private let state: SyncState
  private let recorded: Set<RecordedChanges.Mark>
  private let names: SharedNames

  /// Returns nil for a home that is not synchronized, whose state cannot be read, or that has lost
  /// what it was to tell: its own marks are not known then.
  package init?(of store: LibraryStore, _ subscriptions: [Subscription]) {
    guard let state = (try? store.syncState()) ?? nil, let changes = store.recordedChanges() else {
      return nil
    }
    self.state = state
    recorded = Set(changes.marks.keys)
    names = SharedNames(subscriptions)
  }

  /// The seconds for which a mark is surely known whose story is not stored.
  private static let longest = 300 * 86_400.0

  package func isDeleted(_ story: inout ItemReader, since date: Date? = nil) throws -> Bool {
    let first = date.map { SyncStamp.time(of: $0) } ?? 0
    return try names.keys(of: &story).contains { key in
      let known = state.replica.registers[.story(key, .deleted)]
      return known.map { !$0.isGone && $0.stamp.time > first } ?? false
    }
  }

  /// Returns true for a mark that this home or another has told of, set or taken off.
  func knows(_ mark: RecordedChanges.Mark, _ keys: [UInt64]) -> Bool {
    recorded.contains(mark) || known(mark.mark, keys) != nil
  }

  private func known(_ mark: SyncKey.StoryMark, _ keys: [UInt64]) -> Replica.Register? {
    keys.lazy.compactMap { state.replica.registers[.story($0, mark)] }.max()
  }

  /// Returns true for a story that is not stored, and that another machine has starred.
  package func isStarred(_ item: Item, of feed: String) -> Bool {
    let keys = names.keys(ItemID.key(of: item), nil, [feed]).all
    return known(.starred, keys).map { !$0.isGone } ?? false
  }

  /// Returns the marks to take off a story that has been away since a date.
  package func loss(of story: inout ItemReader, awaySince date: Date) throws -> ItemAdjustment {
    var loss = ItemAdjustment()
    let (flags, tags) = (try story.flags(), try story.strings(.tags))
    let texts = try story.typedTexts()
    guard !flags.isEmpty || !tags.isEmpty || !texts.isEmpty else {
      return loss
    }
    let (number, keys) = (try story.number(), try names.keys(of: &story))
    // Marks of stories that are not stored are not known for ever.
    let isRecent =
      try story.date(.stored).map { date.timeIntervalSince($0) < Self.longest } ?? false
    let isForgotten = isRecent && SyncStamp.time(of: date) > state.since
    func isOff(_ mark: SyncKey.StoryMark) -> Bool {
      if recorded.contains(RecordedChanges.Mark(number, mark)) { return false }
      return known(mark, keys)?.isGone ?? isForgotten
    }
    for flag in StoryFlag.allCases where flags[flag] && isOff(.flag(flag)) {
      loss.marks[flag] = false
    }
    let kept = tags.filter { !isOff(SyncKey.StoryMark.tagged($0).mark) }
    if kept != tags { loss.tags = kept }
    for mark in texts.keys where isOff(mark) { loss.texts[mark] = "" }
    return loss
  }
}
