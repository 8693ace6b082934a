import CommandLine
import FeedModel
import FeedStorage
import HTMLText

// MARK: Unread stories

extension Browser {
  /// A page of a text, and behind its end the next unread story.
  mutating func page() throws(StorageError) -> [BrowserAction] {
    guard focus == .text, let text else { return try enter() }
    if text.isAtEnd(rows: layout.paneRows) { return try goToUnread(by: 1) }
    return try move(by: layout.paneRows)
  }

  /// The next place of what is searched in a text, or else the next unread story.
  mutating func goOn(by step: Int) throws(StorageError) -> [BrowserAction] {
    focus == .text && text?.isSearched == true ? find(by: step) : try goToUnread(by: step)
  }

  mutating func find(by step: Int) -> [BrowserAction] {
    guard focus == .text, text?.isSearched == true else {
      return say("no search yet: press / in a text")
    }
    let rows = layout.paneRows
    return text?.find(by: step, rows: rows) == true ? [] : say("not found")
  }

  /// The next unread story: chosen in the list, shown where a text is read.
  mutating func goToUnread(by step: Int) throws(StorageError) -> [BrowserAction] {
    switch try stories.nextUnread(by: step) {
    case .row(let index): return try go(to: index)
    case .nowhere: return step > 0 ? try goBeyond() : say("no unread story above")
    case .unknown: return seek(by: step)
    }
  }

  private mutating func seek(by step: Int) -> [BrowserAction] {
    message = "looking for unread stories…"
    return [.countForUnread(step: step)]
  }

  private mutating func go(to index: Int) throws(StorageError) -> [BrowserAction] {
    stories.select(index, rows: layout.paneRows)
    if focus == .text { return try read() }
    focus = .stories
    return []
  }

  /// Behind the last unread story: those above it, then the next feed with unread ones.
  private mutating func goBeyond() throws(StorageError) -> [BrowserAction] {
    switch try stories.firstUnread() {
    case .row(let index): return try go(to: index)
    case .unknown: return seek(by: 1)
    case .nowhere: break
    }
    // A folded tag stands for its feeds.
    let isFeed = { [folded] (source: BrowserSource) in
      source.kind == .feed || source.kind == .tag && folded.contains(source.name)
    }
    let feeds = sources.indices.filter { index in
      isFeed(sources[index]) && !sources[index].isHidden && index != sourceCursor.selected
        && unread.indices.contains(index) && unread[index] > 0
    }
    guard isFeed(source), filter.isEmpty,
      let next = feeds.first(where: { $0 > sourceCursor.selected }) ?? feeds.first
    else { return say("no unread story here") }
    return chooseSource(next).map { _ in .listUnread }
  }

  /// Goes to the first unread story of a list that has just been made.
  mutating func goToFirstUnread() throws(StorageError) -> [BrowserAction] {
    guard case .row(let index) = try stories.firstUnread() else { return [] }
    return try go(to: index)
  }
}

// MARK: Where one left

extension Browser {
  /// What is listed now, and the chosen story; nil where only the command line can ask for it.
  var place: BrowsePlace? {
    guard source != own else { return nil }
    let story = try? stories.selected()
    return BrowsePlace(
      source: source.words,
      story: story?.id ?? "",
      isReversed: isReversed,
      folded: folded.sorted(),
    )
  }

  /// Chooses the story that one left; where it is read or gone, the first unread one.
  mutating func goBack(toStory id: String) throws(StorageError) -> [BrowserAction] {
    if let index = try stories.index(ofID: id) { stories.select(index, rows: layout.paneRows) }
    guard let story = try stories.selected(), story.isRead || story.id != id else { return [] }
    switch try stories.firstUnread() {
    case .row(let index): return try go(to: index)
    case .nowhere: return []
    case .unknown: return seek(by: 1)
    }
  }
}

// MARK: What is done to a story

extension Browser {
  /// The story that keys mean: in a text the one that is read.
  func chosen() throws(StorageError) -> StoredItem? {
    guard focus == .text, let shown = text?.shown else { return try stories.selected() }
    return try stories.story(withID: shown.named.story.id)
  }

  mutating func read() throws(StorageError) -> [BrowserAction] {
    guard var story = try stories.selected() else { return [] }
    (focus, textBefore) = (.text, nil)
    let marking = markRead(story)
    story.isRead = true
    return [.show(story)] + marking
  }

  mutating func markRead(_ story: StoredItem) -> [BrowserAction] {
    story.isRead ? [] : mark(story.id, ReadCommand.mark, by: BrowseCommand.name)
  }

  /// The stories that a command means: those that are picked, or else the chosen one.
  func meant() throws(StorageError) -> [StoredItem] {
    guard !stories.picked.isEmpty else { return [try chosen()].compactMap(\.self) }
    let found = try stories.picked.sorted().map { id throws(StorageError) in
      try stories.story(withID: id)
    }
    return found.compactMap(\.self)
  }

  /// Does to the stories that are meant what a command does, which the first of them decides.
  mutating func mark(
    _ command: (StoredItem) -> any MarkCommand.Type
  ) throws(StorageError) -> [BrowserAction] {
    let stories = try meant()
    guard let command = stories.first.map(command) else { return [] }
    self.stories.picked = []
    return stories.flatMap { mark($0.id, command.mark, by: command.name) }
  }

  /// Picks the chosen row and goes on to the next, or leaves it out again.
  mutating func pick() throws(StorageError) -> [BrowserAction] {
    guard focus == .stories, let story = try stories.selected() else { return [] }
    if stories.picked.remove(story.id) == nil { stories.picked.insert(story.id) }
    return try move(by: 1)
  }

  mutating func pickAll() throws(StorageError) -> [BrowserAction] {
    let all = Set(try stories.ids())
    stories.picked = stories.picked == all ? [] : all
    return []
  }

  mutating func fetchPage() throws(StorageError) -> [BrowserAction] {
    guard let story = try chosen() else { return [] }
    message = "fetching the page…"
    return [.fetchPage(story)]
  }

  mutating func readAll() -> [BrowserAction] {
    let words = filter.isEmpty ? [] : ["--grep", filter]
    return [.command(["read", "--all"] + source.words + words)]
  }

  /// The link whose number was typed, else the story's own; nil where there is none, which is said.
  private mutating func chosenLink(of story: StoredItem) -> String? {
    let text = text.flatMap { $0.isOf(story) ? $0 : nil }
    let urls = (text?.shown?.links ?? StoryLinks(story.item)).urls
    let index = (Int(number) ?? 1) - 1
    if urls.indices.contains(index), SafeLink.isSafe(urls[index]) { return urls[index] }
    message = urls.isEmpty ? "this story has no link" : "there is no link \(index + 1)"
    return nil
  }

  mutating func copyLink() throws(StorageError) -> [BrowserAction] {
    guard let story = try chosen(), let link = chosenLink(of: story) else { return [] }
    message = "copied \(link)"
    return [.copy(link)]
  }

  /// The links of the story as a menu, or its text again.
  mutating func showLinks() throws(StorageError) -> [BrowserAction] {
    if focus == .text, text?.isMenu == true { return leave() }
    return try chosen().map { [.showLinks($0)] } ?? []
  }

  /// The feed, or the tag, that a command means: that of the list, or else the chosen story's.
  func meantFeed() throws(StorageError) -> String? {
    if source.kind == .feed || source.kind == .tag { return source.words.last }
    return focus == .feeds ? nil : try chosen()?.feeds.first
  }

  mutating func refreshFeed() throws(StorageError) -> [BrowserAction] {
    guard let feed = try meantFeed() else { return say("no feed selected: press f for the feeds") }
    return [.refresh(feed)]
  }

  private mutating func mark(
    _ id: String,
    _ marks: ItemMarks,
    by command: String,
  ) -> [BrowserAction] {
    stories.mark(id, marks)
    if marks.isRead == true { readHere.append(id) }
    return [.mark(id: id, marks, command: command)]
  }

  /// Opens the link whose number was typed, else the story's own, and marks that read.
  mutating func openLink() throws(StorageError) -> [BrowserAction] {
    guard let story = try chosen(), let link = chosenLink(of: story) else { return [] }
    return [.open(link)] + (number.isEmpty ? markRead(story) : [])
  }
}
