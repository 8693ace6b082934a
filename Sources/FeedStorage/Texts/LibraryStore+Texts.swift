package import FeedModel
internal import System

/// Stories' whole texts: written before the stories that have them, removed after those that had.
extension LibraryStore {
  var texts: TextFolder { TextFolder(path: path("texts"), owner: FileStatus(at: home)) }

  /// The whole text of a story, where its summary is not all of it and it is still there.
  package func text(of story: StoredItem) throws(StorageError) -> StoryText? {
    story.item.textNumber == 0 ? nil : try texts.text(of: story.id)
  }

  package func textIndex() -> StoryTextIndex { texts.index() }

  /// The whole texts that there are, each file looked at.
  ///
  /// - Throws: why the folder, or a file in it, cannot be read.
  package func examineTexts() throws(StorageError) -> StoryTextIndex {
    let folder = path("texts")
    if let kind = FileStatus(at: folder)?.kind, kind != .folder {
      throw .notAFile(path: folder, kind: "\(kind.rawValue), and no folder")
    }
    let index = texts.index()
    if let failure = index.failure { throw failure }
    return index
  }

  /// Of how many stories the whole text is gone.
  package func missingTexts(of index: StoryTextIndex) throws(StorageError) -> Int {
    var missing = 0
    let items = try read(.names).items
    try items.forEachStory(at: 0..<items.count) { _, reader throws(StorageError) in
      if try reader.textNumber() != 0, !index.hasText(of: try reader.id()) { missing += 1 }
    }
    return missing
  }

  /// Stores pages' texts as those of stories, by their ids, for as long as the stories are there.
  ///
  /// `note` says what else has become of the pages.
  package func save(
    pages: [String: StoryText],
    waitAtMost limit: Duration = .seconds(30),
    _ note: (inout [Subscription], inout [String: RetryTime]) -> Void = { _, _ in },
  ) throws(StorageError) {
    try update(waitAtMost: limit) { library throws(StorageError) in
      var (subscriptions, retryTimes) = (library.subscriptions, library.retryTimes)
      note(&subscriptions, &retryTimes)
      var change = LibraryChange(subscriptions: subscriptions, retryTimes: retryTimes)
      var edits = ItemEdits()
      var (stored, ids): ([StoryText?], [String]) = ([], [])
      for position in try library.items.positions(of: ItemIDs(pages.keys)) {
        var story = try library.items.item(at: position)
        guard let text = pages[story.id] else { continue }
        (story.item.textNumber, story.hasPageText) = (text.number, true)
        edits.change(position, to: .replace(position, story))
        stored.append(text)
        ids.append(story.id)
      }
      let stories = SpooledStories([], stored)
      change.texts = ids.indices.map { NewText(id: ids[$0], of: stories, at: $0) }
      change.items = edits.all(of: library.items.count)
      return (change, ())
    }
  }

  func addTexts(_ change: LibraryChange, of library: Library) throws(StorageError) -> AddedTexts? {
    try texts.add(change.texts) { () throws(StorageError) in
      var live = try liveIDs(of: library.items)
      for text in change.texts { live.insert(text.id) }
      return live
    }
  }

  /// To be called once stories have gone for good, or what could bring them back.
  ///
  /// Where it fails, nothing is lost; the next time removes more.
  func collectTexts() {
    guard !texts.isEmpty, let library = try? read(.names) else { return }
    guard let live = try? liveIDs(of: library.items) else { return }
    try? texts.collect(live: live)
  }

  /// Of the stories that are stored, and that `undo` would bring back, those with a whole text.
  private func liveIDs(of table: ItemTable) throws(StorageError) -> ItemIDs {
    var live = ItemIDs()
    for table in [table, try undoFile().read()?.cleared].compactMap(\.self) {
      try table.forEachStory(at: 0..<table.count) { _, reader throws(StorageError) in
        if try reader.textNumber() != 0 { live.insert(try reader.id()) }
      }
    }
    return live
  }
}
