import CommandLine
import FeedModel
import FeedStorage
import HTMLText
import Searching

/// What a key asks for that the table view cannot do by itself.
enum BrowserAction: Hashable, Sendable {
  /// Show a story's text.
  case show(StoredItem)
  /// Show its links, numbered.
  case showLinks(StoredItem)
  /// Mark a story, as the command of that name does; what `browse` itself reads is not undone.
  case mark(id: String, ItemMarks, command: String)
  /// Mark all stories of the list as read, and none that has come since it was made.
  case readAll
  /// Have the page of a story fetched for its text.
  case fetchPage(StoredItem)
  /// Tell a command what the reader answers; nil for nothing.
  case answer(String?)
  /// Run a command of `news`, and tell what it says.
  case command([String])
  /// The same of one that has the terminal meanwhile.
  case inTerminal([String])
  /// Run a program of the reader's, once for each story.
  case program(BrowserProgram, [StoredItem])
  /// Say what can be typed behind this.
  case complete(String)
  case copy(String)
  /// Save the text of a story as a file.
  case save(StoredItem)
  /// Open a link in the browser, which may use the terminal.
  case open(String)
  /// List the stories of the source and the filter from the top.
  case list
  /// List them in another order, or with more or fewer of them: the chosen one stays so.
  case listAgain
  /// List them, and go to the first unread one.
  case listUnread
  /// Count what is unread, and look for the next such story then.
  case countForUnread(step: Int)
  /// Ask the feeds that a word names, or all.
  case refresh(String?)
  case suspend
  case redraw
  case quit
}

/// What keys act on.
enum KeySubject: String, Hashable, Sendable {
  case feed
  case story
}

/// The table view: what is shown, and what keys make of it.
///
/// Touches neither the terminal nor the network; reads stories, and has others change them.
struct Browser {
  var columns = 80
  var rows = 24
  var focus = BrowserPane.stories { didSet { if focus != .text { textBefore = nil } } }
  var feeds: FeedPane
  var stories: StoryPane
  /// The text beside the list, or in its place; nil where there is none to show.
  var text: TextPane? { didSet { hasTextPane = hasTextPane || text != nil } }
  /// The story's text that one left for a passing one.
  var textBefore: TextPane?
  /// Once a text was read, a wide window keeps room for one.
  private(set) var hasTextPane = false
  /// The words that stories are filtered by.
  var filter = ""
  var question: BrowserQuestion?
  /// Whether the text that is shown belongs to the question.
  var isChoiceShown = false
  /// The line that was typed last.
  var lastLine = ""
  let keys: KeyMap
  /// The pane from which one came to a text that is no story's.
  var paneBefore: BrowserPane?
  /// Whether the oldest stand first.
  var isReversed = false
  /// Whether a text tells of its story what `show` does: id, guid, when it was stored.
  private(set) var hasDetails = false
  /// What is said at the bottom, until the next key.
  var message = ""
  /// What was chosen, and has gone since the screen was drawn: nothing is done to what stands there now.
  var lost: Set<KeySubject> = []
  /// What the command line asks for, where it is no other source.
  let own: BrowserSource?
  /// Digits that were typed: the number of a link.
  var number = ""
  /// The stories that were read since the source was chosen: they stay in a list of unread ones.
  var readHere: [String] = []

  /// Begins with what a query wants, whose options are `words`.
  init(
    _ library: Library,
    _ rules: [StoryRule] = [],
    _ query: StoryQuery = StoryQuery(),
    _ words: [String] = [],
    keys: KeyMap = KeyMap(),
  ) {
    self.keys = keys
    stories = StoryPane(library)
    let sources = BrowserSource.all(of: library.subscriptions, rules)
    let known = sources.first { $0.words == words } ?? sources.first { $0.query == query }
    let name = words.map { $0.hasPrefix("--") ? String($0.dropFirst(2)) : $0 }
    own =
      known == nil
      ? BrowserSource(
        kind: .view,
        name: SafeText.line(name.joined(separator: " ")),
        words: words,
        query: query,
      ) : nil
    let rows = BrowserLayout(columns: columns, rows: rows, focus: focus, hasText: false).paneRows
    feeds = FeedPane(own.map { [$0] + sources } ?? sources, rows: rows)
    if let known { feeds.choose(known.id, rows: rows) }
  }

  var layout: BrowserLayout {
    BrowserLayout(columns: columns, rows: rows, focus: focus, hasText: hasTextPane)
  }

  var source: BrowserSource { feeds.chosen }
  /// Whether stories that are read are left out of every list.
  var hidesRead: Bool { feeds.hidesRead }

  /// Makes the panes as large as the window; what is chosen is still to be seen.
  mutating func resize(columns: Int, rows: Int) {
    guard (columns, rows) != (self.columns, self.rows) else { return }
    (self.columns, self.rows) = (columns, rows)
    feeds.choose(row: feeds.cursor.selected, rows: layout.paneRows)
    stories.select(stories.cursor.selected, rows: layout.paneRows)
  }

  /// What is chosen stands on the screen now; a line that is typed still means what was chosen before.
  mutating func noteShown() {
    if case .line = question { return }
    lost = []
  }

  /// Throws for what the reader has not seen in its place.
  func check(_ choice: KeySubject) throws(CommandError) {
    guard lost.contains(choice) else { return }
    throw .failed("the \(choice.rawValue) that was chosen is not here any more; nothing was done")
  }

  /// Takes another version of the store; the chosen story stays so, if it is still there.
  mutating func update(to library: Library, _ positions: [Int]) throws(StorageError) {
    let isThere = try stories.update(to: library, positions, rows: layout.paneRows)
    if !isThere { lost.insert(.story) }
  }

  /// What is to be listed.
  func query() throws(CommandError) -> StoryQuery {
    var query = source.query
    if hidesRead { query.isUnread = true }
    guard !filter.isEmpty else { return query }
    do { try query.search.add(StorySearch(filter)) } catch { throw .failed("\(error)") }
    return query
  }

  // MARK: Keys

  mutating func press(_ key: Key) throws -> [BrowserAction] {
    message = ""
    if question != nil { return try answer(key) }
    switch key {
    case .click(let row, let column): return try click(row - 1, column)
    case .wheelUp(_, let column): return try scroll(column, by: -3)
    case .wheelDown(_, let column): return try scroll(column, by: 3)
    case .character(let sign) where ("0"..."9").contains(sign):
      number = String((number + String(sign)).suffix(6))
      return []
    default: break
    }
    defer { number = "" }
    guard let name = key.name else { return [] }
    guard let line = keys.lines[name] else { return say("\(name) is not a key; press ? for help") }
    return try run(line)
  }

  /// Goes to the pane beside; round about, where there is none.
  mutating func goToPane(by step: Int) throws -> [BrowserAction] {
    let panes = BrowserPane.allCases.filter { $0 != .text || hasTextPane }
    let pane = panes[((panes.firstIndex(of: focus) ?? 0) + step + panes.count) % panes.count]
    if pane == .text { return try enterText() }
    focus = pane
    return []
  }

  /// Goes on in the text that stands beside the chosen story, which is read then.
  mutating func enterText() throws -> [BrowserAction] {
    try check(.story)
    guard let story = try stories.selected(), text?.isOf(story) == true else { return try read() }
    focus = .text
    return markRead(story)
  }

  // MARK: Moving

  /// A row, a page, or as far as it goes: lists by the chosen row, texts by the upper one.
  mutating func move(by step: Int) throws(StorageError) -> [BrowserAction] {
    let rows = layout.paneRows
    switch focus {
    case .feeds: return chooseSource(row: feeds.cursor.selected + step)
    case .stories: stories.select(stories.cursor.selected + step, rows: rows)
    case .text: text?.scroll(by: step, rows: rows)
    }
    return []
  }

  /// More rows than any list or text has.
  static let far = 1 << 40

  /// The details stand on top, and so they are seen.
  mutating func toggleDetails() -> [BrowserAction] {
    guard layout.slot(.text) != nil else {
      return say("press Enter to open a story; i then shows its details")
    }
    hasDetails.toggle()
    let rows = layout.paneRows
    text?.scroll(by: -Self.far, rows: rows)
    return []
  }

  mutating func leave() -> [BrowserAction] {
    switch focus {
    case .text where text?.isSearched == true: text?.endSearch()
    case .text where textBefore != nil: (text, textBefore) = (textBefore, nil)
    case .text:
      focus = paneBefore ?? .stories
      if text?.isPassing == true { text = nil }
      paneBefore = nil
    case .stories where !stories.picked.isEmpty: stories.picked = []
    case .stories where !filter.isEmpty:
      filter = ""
      return [.list]
    case .stories: focus = .feeds
    case .feeds: break
    }
    return []
  }

  mutating func enter() throws -> [BrowserAction] {
    switch focus {
    case .feeds:
      focus = .stories
      return []
    case .stories:
      try check(.story)
      return try read()
    case .text: return number.isEmpty ? [] : try openLink()
    }
  }

  /// Shows lines that are no story's until one leaves them.
  mutating func show(_ lines: [String]) {
    show(TextPane(nil, lines, columns: layout.storyColumns, hasDetails: hasDetails))
  }

  /// Shows a passing text; the story's text stands there again once one leaves it.
  mutating func show(_ passing: TextPane) {
    if focus != .text {
      paneBefore = focus
    } else if text?.isPassing == false {
      textBefore = text
    }
    focus = .text
    text = passing
  }

  mutating func showKeys() -> [BrowserAction] {
    show(BrowserHelp.lines(keys))
    return []
  }

  mutating func toggleRead() -> [BrowserAction] {
    feeds.hideRead(!hidesRead, rows: layout.paneRows)
    readHere = []
    message = hidesRead ? "what is read is hidden" : "what is read is shown"
    return [.listAgain]
  }

  mutating func toggleOrder() -> [BrowserAction] {
    isReversed.toggle()
    message = isReversed ? "the oldest first" : "the newest first"
    return [.listAgain]
  }

  mutating func say(_ text: String) -> [BrowserAction] {
    message = text
    return []
  }
}
