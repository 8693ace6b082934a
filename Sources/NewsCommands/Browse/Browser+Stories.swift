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

  /// The next unread story: chosen in the list, shown where a text is read.
  mutating func goToUnread(by step: Int) throws(StorageError) -> [BrowserAction] {
    switch try stories.nextUnread(by: step) {
    case .row(let index): return try go(to: index)
    case .nowhere: return step > 0 ? try goOn() : say("no unread story further up")
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
  private mutating func goOn() throws(StorageError) -> [BrowserAction] {
    switch try stories.firstUnread() {
    case .row(let index): return try go(to: index)
    case .unknown: return seek(by: 1)
    case .nowhere: break
    }
    let feeds = sources.indices.filter { index in
      sources[index].kind == .feed && index != sourceCursor.selected
        && unread.indices.contains(index) && unread[index] > 0
    }
    guard source.kind == .feed, filter.isEmpty,
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

// MARK: What is done to a story

extension Browser {
  /// The story that keys mean: in a text the one that is read.
  func chosen() throws(StorageError) -> StoredItem? {
    guard focus == .text, let text else { return try stories.selected() }
    return try stories.story(withID: text.shown.named.story.id)
  }

  mutating func read() throws(StorageError) -> [BrowserAction] {
    guard var story = try stories.selected() else { return [] }
    focus = .text
    let marking = markRead(story)
    story.isRead = true
    return [.show(story)] + marking
  }

  mutating func markRead(_ story: StoredItem) -> [BrowserAction] {
    story.isRead ? [] : mark(story.id, ReadCommand.mark, by: BrowseCommand.name)
  }

  /// Does to the chosen story what a command does.
  mutating func mark(
    _ command: (StoredItem) -> any MarkCommand.Type
  ) throws(StorageError) -> [BrowserAction] {
    guard let story = try chosen() else { return [] }
    let command = command(story)
    return mark(story.id, command.mark, by: command.name)
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
    guard let story = try chosen() else { return [] }
    let text = text.flatMap { $0.isOf(story) ? $0 : nil }
    let links = text?.shown.links ?? StoryLinks(story.item)
    let index = (Int(number) ?? 1) - 1
    guard links.urls.indices.contains(index), SafeLink.isSafe(links.urls[index]) else {
      return say(
        links.urls.isEmpty ? "this story has no link" : "there is no link \(index + 1)"
      )
    }
    return [.open(links.urls[index])] + (number.isEmpty ? markRead(story) : [])
  }
}
