import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import HTMLText
import Searching

// MARK: Unread stories

extension Browser {
  /// Scrolls a page; at the end of a text goes to the next unread story.
  mutating func page() throws -> [BrowserAction] {
    guard focus == .text, let text else {
      guard focus == .stories else { return try enter() }
      try check(.story)
      return try read()
    }
    if text.isAtEnd(rows: layout.paneRows) { return try goToUnread(by: 1) }
    return try move(by: layout.paneRows)
  }

  mutating func goOn(by step: Int) throws -> [BrowserAction] {
    isSearching ? find(by: step) : try goToUnread(by: step)
  }

  /// True in a text or a list of feeds in which words were sought.
  var isSearching: Bool {
    switch focus {
    case .text: text?.isSearched == true
    case .feeds: !soughtFeed.isEmpty
    case .stories: false
    }
  }

  /// Goes to the match before in a search, else asks for a note on the stories meant.
  mutating func note() throws -> [BrowserAction] {
    if isSearching { return find(by: -1) }
    let stories = try takeMeant()
    guard let first = stories.first else { return [] }
    question = BrowserQuestion(
      .note(ids: stories.map(\.id)),
      SafeText.line(first.note ?? ""),
    )
    return []
  }

  mutating func find(by step: Int) -> [BrowserAction] {
    guard isSearching else {
      return say("no search yet: press \(keys.name(of: "search")) in a text")
    }
    if focus == .feeds { return jump(by: step) }
    let rows = layout.paneRows
    return text?.find(by: step, rows: rows) == true ? [] : say("not found")
  }

  mutating func goToUnread(by step: Int) throws -> [BrowserAction] {
    switch try stories.nextUnread(by: step) {
    case .row(let index): return try go(to: index)
    case .nowhere: return step > 0 ? try goBeyond() : say("no unread story above")
    case .unknown: return seek(by: step)
    }
  }

  private mutating func seek(by step: Int) -> [BrowserAction] {
    say("looking for unread stories…") + [.countForUnread(step: step)]
  }

  private mutating func go(to index: Int) throws -> [BrowserAction] {
    stories.select(index, rows: layout.paneRows)
    if focus == .text { return try read() }
    focus = .stories
    return []
  }

  /// Goes to unread stories above the chosen one, else to the next feed that has some.
  private mutating func goBeyond() throws -> [BrowserAction] {
    switch try stories.firstUnread() {
    case .row(let index): return try go(to: index)
    case .unknown: return seek(by: 1)
    case .nowhere: break
    }
    // A folded tag stands for its feeds.
    let rows = feeds.shown.indices.filter { row in
      let other = feeds.shown[row]
      return feeds.isOfFeeds(other) && !other.isHidden && other.id != source.id
        && feeds.unread[other.id, default: 0] > 0
    }
    guard feeds.isOfFeeds(source), filter.isEmpty,
      let next = rows.first(where: { $0 > feeds.cursor.selected }) ?? rows.first
    else { return say("no unread story here") }
    return chooseSource(row: next).map { _ in .listUnread }
  }

  mutating func goToFirstUnread() throws -> [BrowserAction] {
    guard case .row(let index) = try stories.firstUnread() else { return [] }
    return try go(to: index)
  }
}

// MARK: The last visit

extension Browser {
  /// The source and story to return to; nil for a source made from the command line's options.
  var place: BrowsePlace? {
    guard source != own else { return nil }
    let story = try? stories.selected()
    var place = BrowsePlace(source: source.words, story: story?.id ?? "")
    (place.isReversed, place.isGrouped, place.hidesRead) = (isReversed, isGrouped, hidesRead)
    if feeds.order != .file { place.feedOrder = feeds.order.rawValue }
    place.folded = feeds.all.filter(feeds.isFolded).flatMap(\.query.tags).map(\.name).sorted()
    return place
  }

  /// Selects the story of the last visit; if it is read or gone, goes to the first unread one.
  mutating func goBack(toStory id: String) throws -> [BrowserAction] {
    if let index = try stories.index(ofID: id) { stories.select(index, rows: layout.paneRows) }
    guard let story = try stories.selected(), story.isRead || story.id != id else { return [] }
    switch try stories.firstUnread() {
    case .row(let index): return try go(to: index)
    case .nowhere: return []
    case .unknown: return seek(by: 1)
    }
  }
}

// MARK: Actions on stories

extension Browser {
  /// Returns the story of a focused text, else that of the chosen row.
  ///
  /// Throws where no list of stories is shown, or the chosen story has gone.
  func chosen() throws -> StoredItem? {
    guard !isInStory else { return try storyOfText() }
    try checkList()
    return try stories.selected()
  }

  private var isInStory: Bool { focus == .text && text?.shown != nil }

  private func storyOfText() throws -> StoredItem? {
    try text?.shown.map { shown in
      guard let story = try stories.story(withID: shown.named.story.id) else {
        throw Failure("this story is not stored any more; nothing was done")
      }
      return story
    }
  }

  private func checkList() throws {
    guard layout.slot(.stories) != nil else {
      let key = focus == .feeds ? "Enter" : "Esc"
      throw Failure("no story is shown here: \(key) shows them")
    }
    try check(.story)
  }

  mutating func read() throws -> [BrowserAction] {
    guard var story = try stories.selected() else { return [] }
    (focus, textBefore) = (.text, nil)
    let marking = try markRead(story)
    story.isRead = true
    return [.show(story)] + marking
  }

  /// Returns what its feed's setting has Enter open in place of the feed's text: `browser`, `page`.
  func opening(of story: StoredItem) -> String? {
    stories.library.subscriptions.first { $0.url == story.feeds.first }?.settings.opening
  }

  /// Opens the chosen story as the setting of its feed has it.
  mutating func openAsItsFeedSays() throws -> [BrowserAction] {
    guard let story = try stories.selected() else { return [] }
    switch opening(of: story) {
    case "browser":
      let actions = try openLink()
      return actions.isEmpty ? try read() : actions
    case "page" where !story.article.isShown:
      message = "fetching the page…"
      return try read() + [.fetchPage(story)]
    default: return try read()
    }
  }

  /// Marks a story as read; if it stands for a row, all stories of that.
  mutating func markRead(_ story: StoredItem) throws -> [BrowserAction] {
    let row = try stories.rowIDs(of: story)
    let ids = try row.filter { try stories.story(withID: $0)?.isRead == false }
    guard ids.isEmpty else { return mark(ids, ReadCommand.mark, by: BrowseCommand.name) }
    // Another story was opened since.
    if !readInPassing.contains(story.id) { readInPassing = [] }
    return []
  }

  /// Makes stories unread again that the last key read in passing; nil where there are none.
  ///
  /// `news undo` knows nothing of these, lest a deliberate change be buried below them.
  mutating func takeBackReading() -> [BrowserAction]? {
    guard !readInPassing.isEmpty else { return nil }
    let ids = readInPassing
    message = "\(Count.of(ids.count, "story is", "stories are")) unread again"
    return mark(ids, UnreadCommand.mark, by: BrowseCommand.name)
  }

  /// Returns the story of a focused text, else the picked stories, else the chosen one.
  ///
  /// With `wholeRows`, a row of similar stories means all of them. The picks are used up.
  mutating func takeMeant(wholeRows: Bool = false) throws -> [StoredItem] {
    guard !isInStory else { return [try storyOfText()].compactMap(\.self) }
    try checkList()
    defer { stories.picked = [] }
    return try stories.meantStories(wholeRows: wholeRows)
  }

  /// Marks the stories meant; the first row decides on the command (star or unstar).
  mutating func mark(
    _ command: (_ row: [StoredItem]) -> any MarkCommand.Type
  ) throws -> [BrowserAction] {
    let row = try firstMeantRow()
    guard !row.isEmpty else { return [] }
    let command = command(row)
    let ids = try takeMeant(wholeRows: true).map(\.id)
    message = "\(Count.stories(ids.count)) \(command.done)"
    return mark(ids, command.mark, by: command.name)
  }

  /// Marks the unread stories above the chosen row, or below it, as read.
  mutating func readRest(isAbove: Bool) throws -> [BrowserAction] {
    let ids = try stories.unreadIDs(isAbove: isAbove, line: try chosenLine())
    guard !ids.isEmpty else { return say("no unread story \(isAbove ? "above" : "below")") }
    message = "\(Count.stories(ids.count)) \(ReadCommand.done)"
    return mark(ids, ReadCommand.mark, by: ReadCommand.name)
  }

  /// Returns the line of the story of a focused text, else the chosen one.
  private func chosenLine() throws -> Int {
    guard isInStory else {
      try checkList()
      return stories.cursor.selected
    }
    guard let story = try storyOfText(), let line = try stories.index(ofID: story.id) else {
      throw Failure("this story is not in the list any more; nothing was done")
    }
    return line
  }

  private func firstMeantRow() throws -> [StoredItem] {
    guard !isInStory else { return [try storyOfText()].compactMap(\.self) }
    try checkList()
    return try stories.firstMeantRow()
  }

  mutating func pick() throws -> [BrowserAction] {
    try check(.story)
    guard focus == .stories, let story = try stories.selected() else { return [] }
    if stories.picked.remove(story.id) == nil { stories.picked.insert(story.id) }
    return try move(by: 1)
  }

  mutating func pickAll() throws -> [BrowserAction] {
    let all = Set(try stories.ids())
    stories.picked = stories.picked == all ? [] : all
    return []
  }

  mutating func fetchPage() throws -> [BrowserAction] {
    guard let story = try chosen() else { return [] }
    (message, readInPassing) = ("fetching the page…", [])
    return [.fetchPage(story)]
  }

  mutating func readAll() throws -> [BrowserAction] {
    try check(.feed)
    readInPassing = []
    return [.readAll]
  }

  /// Returns the link whose number was typed, else the story's own.
  ///
  /// nil, with a message, where there is none.
  private mutating func chosenLink(of story: StoredItem) -> String? {
    let text = text.flatMap { $0.isOf(story) ? $0 : nil }
    let removal = TrackerRemoval(self.stories.library.subscriptions)
    let urls = (text?.shown?.links ?? StoryLinks(removal.story(story).item)).urls
    let index = (Int(number) ?? 1) - 1
    if urls.indices.contains(index) { return urls[index] }
    _ = say(urls.isEmpty ? "this story has no link" : "there is no link \(index + 1)")
    return nil
  }

  mutating func copyLink() throws -> [BrowserAction] {
    guard let story = try chosen(), let link = chosenLink(of: story) else { return [] }
    message = "copied \(link)"
    return [.copy(link)]
  }

  mutating func showLinks() throws -> [BrowserAction] {
    if focus == .text, text?.isMenu == true { return leave() }
    return try chosen().map { [.showLinks($0)] } ?? []
  }

  /// Returns the first feed of each picked story; without these the listed feed or tag, else the
  /// first feed of the chosen story.
  ///
  /// None while the feeds' pane has the focus and neither is listed. The picks are used up.
  mutating func takeMeantFeeds() throws -> [String] {
    try check(.feed)
    if source.kind != .feed, !stories.picked.isEmpty, !isInStory {
      return try takeMeant().compactMap(\.feeds.first).distinct(by: \.self)
    }
    if source.kind == .feed || source.kind == .tag { return source.words.suffix(1) }
    return focus == .feeds ? [] : try chosen().map { Array($0.feeds.prefix(1)) } ?? []
  }

  mutating func refreshFeed() throws -> [BrowserAction] {
    let feeds = try takeMeantFeeds()
    guard !feeds.isEmpty else {
      return say("no feed selected: press \(keys.name(of: "to-feeds")) for the feeds")
    }
    return [.refresh(feeds)]
  }

  private mutating func mark(
    _ ids: [String],
    _ marks: ItemMarks,
    by command: String,
  ) -> [BrowserAction] {
    for id in ids { stories.mark(id, marks) }
    if marks[.read] == true { readHere += ids }
    readInPassing = command == BrowseCommand.name && marks[.read] == true ? ids : []
    return [.mark(ids: ids, marks, command: command)]
  }

  mutating func openLink() throws -> [BrowserAction] {
    guard let story = try chosen(), let link = chosenLink(of: story) else { return [] }
    guard SafeLink.isSafe(link) else {
      let number = Int(number) ?? 1
      let hint = keys.key(for: "copy-link").map { "; \(number)\($0) copies it" } ?? ""
      return say("link \(number) is a mail address: \(link.dropFirst("mailto:".count))\(hint)")
    }
    return [.open(link, reading: number.isEmpty ? story : nil)]
  }
}
