package import FeedModel
internal import System

/// Whole texts of stories, and the articles of their pages: written before the stories that have
/// them, removed after those that had them.
extension LibraryStore {
  private var texts: TextFolder { folder(.texts) }

  /// Articles have a folder of their own, of which earlier versions know nothing: these would
  /// remove an entry without a story of theirs from the other.
  private var articles: TextFolder { folder(.articles) }

  private func folder(_ file: StoreFile) -> TextFolder {
    TextFolder(path: path(file), owner: FileStatus(at: home))
  }

  var hasTexts: Bool { !texts.isEmpty || !articles.isEmpty }

  /// The text of a story that is shown, if its summary is not all of it and it is still there.
  package func text(of story: StoredItem) throws -> StoryText? {
    for key in story.textKeys {
      let folder = key == story.id ? texts : articles
      if let text = try folder.text(of: key) { return text }
    }
    return nil
  }

  /// The text that a story's feed published, or its page's text in that place.
  package func feedText(of story: StoredItem) throws -> StoryText? {
    story.item.textNumber == 0 ? nil : try texts.text(of: story.id)
  }

  package func article(of story: StoredItem) throws -> StoryText? {
    try story.articleKey.map { (key) in try articles.text(of: key) } ?? nil
  }

  package func textIndex() -> StoryTextIndex {
    var index = texts.index()
    articles.add(to: &index)
    return index
  }

  /// Reads each file of `texts` or `articles`.
  ///
  /// - Throws: the reason why the folder, or a file in it, cannot be read.
  package func examineTexts(in file: StoreFile) throws {
    let folder = folder(file)
    if let kind = FileStatus(at: folder.path)?.kind, kind != .folder {
      throw StorageError.notAFile(path: folder.path, kind: "\(kind.rawValue), and no folder")
    }
    if let failure = folder.index().failure { throw failure }
  }

  package func missingTexts(of index: StoryTextIndex) throws -> (texts: Int, articles: Int) {
    var missing = (texts: 0, articles: 0)
    let items = try read(.names).items
    try items.forEachStory(at: 0..<items.count) { _, reader in
      let article = try reader.article()
      guard try reader.textNumber() != 0 || article.isBeside else { return }
      let id = try reader.id()
      if try reader.textNumber() != 0, !index.hasText(of: id) { missing.texts += 1 }
      if article.isBeside, !index.hasText(of: article.key(ofStory: id)) { missing.articles += 1 }
    }
    return missing
  }

  /// Stores pages' articles beside stories' own texts, by the stories' ids, for as long as the
  /// stories are there.
  ///
  /// `note` notes what else has become of the pages.
  package func save(
    articles: [String: FoundArticle],
    waitAtMost limit: Duration = .seconds(30),
    _ note: (inout [Subscription], inout [String: RetryTime]) -> Void = { _, _ in },
  ) throws {
    try update(waitAtMost: limit) { library in
      var (subscriptions, retryTimes) = (library.subscriptions, library.retryTimes)
      note(&subscriptions, &retryTimes)
      var change = LibraryChange(subscriptions: subscriptions)
      change.feeds.retryTimes = retryTimes
      for position in try library.items.positions(of: ItemIDs(articles.keys)) {
        let id = try library.items.id(at: position)
        guard let article = articles[id] else { continue }
        change.stories.adjusted[position] = ItemAdjustment(article: article.stored)
        change.stories.articles.append(article.newText(ofStory: id))
      }
      return (change, ())
    }
  }

  func addTexts(_ change: LibraryChange, of library: Library, to added: inout [AddedTexts]) throws {
    for (folder, new) in [(texts, change.stories.texts), (articles, change.stories.articles)] {
      let texts = try folder.add(new) {
        var live = try liveKeys(of: library.items)
        for text in new { live.insert(text.id) }
        return live
      }
      if let texts { added.append(texts) }
    }
  }

  /// Removes texts of stories that have gone for good; to be called after these, or what could
  /// bring them back, went.
  ///
  /// If it fails, nothing is lost: the next time removes more.
  func collectTexts() {
    guard hasTexts, let library = try? read(.names) else { return }
    guard let live = try? liveKeys(of: library.items) else { return }
    for folder in [texts, articles] { try? folder.collect(live: live) }
  }

  /// The keys of texts and articles of the stored stories, and of those that `undo` would bring
  /// back.
  private func liveKeys(of table: ItemTable) throws -> ItemIDs {
    var live = ItemIDs()
    var tables = [table]
    for step in try history().steps {
      if let cleared = try stories(clearedBy: step) { tables.append(cleared) }
      for marked in step.marked {
        guard case .article(let article) = marked.fact, article.isBeside else { continue }
        for id in marked.ids.all { live.insert(article.key(ofStory: id)) }
      }
    }
    for table in tables {
      try table.forEachStory(at: 0..<table.count) { _, reader in
        let article = try reader.article()
        if try reader.textNumber() != 0 { live.insert(try reader.id()) }
        if article.isBeside { live.insert(article.key(ofStory: try reader.id())) }
      }
    }
    return live
  }
}

package struct FoundArticle: Sendable {
  package let text: StoryText
  package let isShown: Bool

  package init(_ text: StoryText, isShown: Bool) {
    (self.text, self.isShown) = (text, isShown)
  }

  package var stored: StoredArticle { StoredArticle(number: Int(text.number), isShown: isShown) }

  package func newText(ofStory id: String) -> NewText {
    NewText(id: stored.key(ofStory: id), of: SpooledStories([], [text]), at: 0)
  }
}
