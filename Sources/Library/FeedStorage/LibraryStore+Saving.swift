internal import FeedModel
internal import System

extension LibraryStore {
  /// Saves a change: first the step that takes it back, then its parts in their order.
  ///
  /// The step takes its place in the history when the first part is ready to take its own: before
  /// that nothing has changed, and behind it nothing is left to fail for want of room.
  func save(_ change: LibraryChange, of library: Library) throws {
    let change = try following(change)
    try checkWords(of: change, over: library.feeds)
    let history = try historyFile()
    let before = try change.origin == nil ? StoreGeneration() : StoreGeneration(of: self)
    let log = try prepareLog(of: change, library, history, before)
    var uncommitted = log
    func commitLog() throws {
      defer { uncommitted = nil }
      try uncommitted?.commit()
    }
    var added: [AddedTexts] = []
    do {
      try addTexts(change, of: library, to: &added)
      if change.feeds.areSavedFirst {
        try saveFeeds(change, of: library, after: commitLog)
      }
      try saveItems(change, of: library, history, after: commitLog)
      if let document = change.outlines { try outlines.replace(by: document) }
      if let rules = change.rules { try rulesFile.save(rules, after: commitLog) }
      if !change.feeds.areSavedFirst {
        try saveFeeds(change, of: library, after: commitLog)
      }
      try commitLog()
    } catch {
      uncommitted?.discard()
      if isUnchanged(library.items) { for texts in added { texts.discard() } }
      throw error
    }
    for texts in added { texts.finish() }
    if let log { history.finish(log) }
    if let machines = change.agreements.machines { try save(machines) }
    if let server = change.agreements.server { try save(server) }
    let stories = library.items.count
    if log?.endsStories == true || change.stories.count(of: stories) < stories
      || added.contains(where: \.isCollectionDue)
    {
      collectTexts()
    }
  }

  private func prepareLog(
    of change: LibraryChange,
    _ library: Library,
    _ history: HistoryFile,
    _ before: StoreGeneration,
  ) throws -> HistoryFile.Prepared? {
    guard let origin = change.origin else { return nil }
    var step: HistoryStep?
    if origin.isStep {
      step = try HistoryStep(
        change,
        by: origin,
        in: library,
        rules: try change.rules == nil ? [] : rules(),
        outlines: try change.outlines == nil ? nil : readOutlines(),
      )
    }
    let untold = try recording(change, of: library, madeFrom: before)
    guard step != nil || untold != nil else { return nil }
    return try history.prepare(step, untold, of: library.items, madeFrom: before)
  }

  private func following(_ change: LibraryChange) throws -> LibraryChange {
    guard !change.feeds.moves.isEmpty else { return change }
    let old = if let rules = change.rules { rules } else { try rules() }
    var new = old
    for move in change.feeds.moves {
      for index in new.indices {
        new[index].feeds = new[index].feeds.map { $0 == move.from ? move.to : $0 }
      }
    }
    guard new != old else { return change }
    var change = change
    change.rules = new
    return change
  }

  /// Returns true if the data file is still the one that was read; an error may have come behind
  /// its renaming.
  private func isUnchanged(_ items: ItemTable) -> Bool {
    let now = FileStatus(at: dataPath)
    guard let now, let old = items.status else { return now == nil && items.status == nil }
    return now.isSameFile(as: old)
  }

  private func saveFeeds(
    _ change: LibraryChange,
    of library: Library,
    after last: () throws -> Void,
  ) throws {
    let stories = change.stories.count(of: library.items.count)
    var new = change.feeds.applied(to: library.feeds)
    let before = library.items.count
    guard new != library.feeds || min(stories, before) < library.feeds.savedStories else { return }
    new.savedStories = stories
    try SubscriptionsFile(path: subscriptionsPath).save(new, after: last)
  }

  private func saveItems(
    _ change: LibraryChange,
    of library: Library,
    _ history: HistoryFile,
    after last: () throws -> Void,
  ) throws {
    if let returning = change.stories.returning, returning.isWhole {
      try last()
      return try history.putBack(returning.table)
    }
    guard !change.stories.isEmpty else { return }
    // A file that begins anew is never one that the log tells of.
    let former = try FileVersion.stored(at: history.path) ?? .none
    let file = AtomicFile(path: dataPath, .following(former))
    try file.replace(madeFrom: library.items.status, after: last) { write in
      let kept = library.items.kept(under: change.stories)
      var builder = DataFileBuilder(library.items, change.stories, keeping: kept)
      try builder.write(to: write)
    }
  }

  func historyFile() throws -> HistoryFile { try HistoryFile(self) }

  package func history() throws -> History {
    History(steps: try historyFile().read())
  }

  package func stories(clearedBy step: HistoryStep) throws -> ItemTable? {
    try historyFile().cleared(by: step)
  }
}
