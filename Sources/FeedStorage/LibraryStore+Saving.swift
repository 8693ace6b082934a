internal import FeedModel
internal import System

/// The steps of a save, all of them under the lock.
extension LibraryStore {
  /// Saves a change: first what takes it back, then its parts in their order.
  ///
  /// The record of the undo takes its place when the first part is ready to take its own: before
  /// that nothing has changed, and behind it nothing is left to fail for want of room.
  func save(_ change: LibraryChange, of library: Library) throws(StorageError) {
    let file = try undoFile()
    let change = try following(change)
    var undo: PreparedFile?
    if case .record(let record) = change.undo {
      undo = try file.prepare(record, of: library.items)
    }
    var changes = try prepareRecord(of: change, library, besides: undo)
    func commitUndo() throws(StorageError) {
      defer { (undo, changes) = (nil, nil) }
      try undo?.commit()
      try changes?.commit()
    }
    var added: [AddedTexts] = []
    let hadCleared = change.mayEndStories && hasTexts && file.hasCleared
    do throws(StorageError) {
      try addTexts(change, of: library, to: &added)
      if change.order == .subscriptionsFirst {
        try saveSubscriptions(change, of: library, after: commitUndo)
      }
      try saveItems(change, of: library, after: commitUndo)
      if let document = change.outlines { try outlines.replace(by: document) }
      if let rules = change.rules { try rulesFile.save(rules, after: commitUndo) }
      if change.order == .storiesFirst {
        try saveSubscriptions(change, of: library, after: commitUndo)
      }
      try commitUndo()
    } catch {
      undo?.discard()
      changes?.discard()
      if isUnchanged(library.items) { for texts in added { texts.discard() } }
      throw error
    }
    for texts in added { texts.finish() }
    finish(change.undo, file)
    if let sync = change.sync { try save(sync) }
    if let server = change.server { try save(server) }
    if hadCleared || change.storyCount(of: library) < library.items.count
      || added.contains(where: \.isCollectionDue)
    {
      collectTexts()
    }
  }

  private func prepareRecord(
    of change: LibraryChange,
    _ library: Library,
    besides undo: PreparedFile?,
  ) throws(StorageError) -> PreparedFile? {
    do throws(StorageError) {
      guard let changes = try recording(change, of: library) else { return nil }
      return try changesFile.prepare(changes)
    } catch {
      undo?.discard()
      throw error
    }
  }

  /// The change with rules that follow the feeds that have moved.
  private func following(_ change: LibraryChange) throws(StorageError) -> LibraryChange {
    guard !change.moves.isEmpty else { return change }
    let old = if let rules = change.rules { rules } else { try rules() }
    var new = old
    for move in change.moves {
      for index in new.indices {
        new[index].feeds = new[index].feeds.map { $0 == move.from ? move.to : $0 }
      }
    }
    guard new != old else { return change }
    var change = change
    change.rules = new
    if case .record(var record) = change.undo {
      record.rules = record.rules ?? old
      change.undo = .record(record)
    }
    return change
  }

  /// Whether the data file is still the one that was read; an error may have come behind its renaming.
  private func isUnchanged(_ items: ItemTable) -> Bool {
    let now = FileStatus(at: dataPath)
    guard let now, let old = items.status else { return now == nil && items.status == nil }
    return now.isSameFile(as: old)
  }

  /// Removes what is no longer told of; the change itself is safe already, and what stays by an
  /// error takes nothing back.
  private func finish(_ change: UndoChange, _ file: UndoFile) {
    switch change {
    case .kept: break
    case .record: try? file.removeAside()
    case .forgotten:
      try? file.delete()
      try? file.removeAside()
    }
  }

  private func saveSubscriptions(
    _ change: LibraryChange,
    of library: Library,
    after last: () throws(StorageError) -> Void,
  ) throws(StorageError) {
    let subscriptions = change.subscriptions ?? library.subscriptions
    let retryTimes = change.retryTimes ?? library.retryTimes
    let stories = change.storyCount(of: library)
    guard
      subscriptions != library.subscriptions || retryTimes != library.retryTimes
        || change.fewerKeptSince != nil
        || stories < library.savedStories
    else { return }
    let file = SubscriptionsFile(path: subscriptionsPath)
    try file.save(
      subscriptions,
      retryTimes: retryTimes,
      stories: stories,
      formerNames: change.formerNames,
      fewerKeptSince: change.fewerKeptSince,
      after: last,
    )
  }

  private func saveItems(
    _ change: LibraryChange,
    of library: Library,
    after last: () throws(StorageError) -> Void,
  ) throws(StorageError) {
    if change.restoresDataFile { return try undoFile().putBack() }
    guard let edits = change.items else { return }
    let table = library.items
    if edits == [.keep(0..<table.count)] || (edits.isEmpty && table.count == 0) { return }
    let file = AtomicFile(path: dataPath)
    try file.replace(madeFrom: library.items.status, after: last) { write throws(StorageError) in
      var builder = DataFileBuilder(
        table,
        and: change.other,
        for: edits,
        from: change.source,
      )
      try builder.write(edits, to: write)
    }
  }

  func undoFile() throws(StorageError) -> UndoFile {
    UndoFile(path: path("undo.plist"), dataPath: try OpenFile.resolvingLinks(dataPath))
  }

  /// What the last marking or clearing changed; nil when there is nothing to take back.
  package func undoRecord() throws(StorageError) -> UndoRecord? {
    try undoFile().read()
  }
}
