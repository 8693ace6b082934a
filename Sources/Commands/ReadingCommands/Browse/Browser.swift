import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

/// The state of the table view, and the changes that keys make to it.
///
/// It reads stories, but never touches the terminal or the network, and leaves changes of the store
/// to `BrowserAction`s.
struct Browser {
  var columns = 80
  var rows = 24
  var focus = BrowserPane.stories {
    didSet {
      if focus != .text { textBefore = nil }
      if focus != .feeds { soughtFeed = [] }
      if focus == .stories, oldValue == .feeds { isBelowFeeds = true }
    }
  }
  /// True in a list that was entered from the feeds, to which `q` goes back.
  private var isBelowFeeds = false
  /// The folded words that feeds were searched for.
  var soughtFeed: [UInt32] = []
  var feeds: FeedPane
  var stories: StoryPane
  var text: TextPane? { didSet { noteTextPlace() } }
  /// The places in texts to go on from when their stories are opened again.
  var textPlaces = TextPlaces()
  /// The story's text to return to from its links or from a command's output.
  var textBefore: TextPane?
  var filter = ""
  /// The query of the list that is drawn, and the filter in it; nil if it could not be made.
  var drawn: (query: StoryQuery, filter: String)?
  /// True if that list is empty because all that it would have is read.
  var isAllRead = false
  /// The rows of similar stories of that list.
  var similar = ListedRows()
  var question: BrowserQuestion?
  /// True while the text pane shows the lines before a question.
  var isChoiceShown = false
  var lastLine = ""
  let keys: KeyMap
  /// The pane to return to from a text that is no story's.
  var paneBefore: BrowserPane?
  var isReversed = false
  /// The most columns of a text.
  var textColumns = BrowserLayout.usualTextColumns
  /// True if a text that stands alone is in the middle of the window.
  var isCentered = false
  /// True while similar stories are one row.
  var isGrouped = false
  /// True while texts show the story's id, guid and time of storage, as `news show` does.
  private(set) var hasDetails = false
  /// Text at the bottom until the next key.
  var message = "" { didSet { if !message.isEmpty { lastMessage = message } } }
  private(set) var lastMessage = ""
  /// True if the last operation did nothing but say why.
  var hasRefused = false
  /// Choices that have gone since the screen was drawn; keys must not act on what took their place.
  var lost: Set<KeySubject> = []
  /// The source made from the command line's options; nil where a listed source has them.
  let own: BrowserSource?
  var number = ""
  /// The keys of a sequence that is not finished.
  var sequence: KeyMap.Sequence = []
  /// The operations that wait for the end of the question before them.
  var waiting: KeyWork?
  /// Ids of the stories that a key marked as read in passing, until another change: `undo` is about
  /// these.
  var readInPassing: [String] = []
  /// Ids of stories read since the source was chosen; a list of unread stories keeps them.
  var readHere: [String] = []

  /// Chooses the source of a query, or makes it; `words` are the query's options.
  init(
    _ library: Library,
    _ rules: [StoryRule] = [],
    _ query: StoryQuery = StoryQuery(),
    _ words: [String] = [],
    keys: KeyMap,
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
    let rows = BrowserLayout(columns: columns, rows: rows, focus: focus).paneRows
    feeds = FeedPane(own.map { [$0] + sources } ?? sources, rows: rows)
    if let known { feeds.choose(known.id, rows: rows) }
  }

  var layout: BrowserLayout {
    BrowserLayout(
      columns: columns,
      rows: rows - max(bottomLines.count - 1, 0),
      focus: focus,
      textColumns: textColumns,
      isCentered: isCentered,
    )
  }

  var source: BrowserSource { feeds.chosen }
  var hidesRead: Bool { feeds.hidesRead }

  mutating func resize(columns: Int, rows: Int) {
    guard (columns, rows) != (self.columns, self.rows) else { return }
    (self.columns, self.rows) = (columns, rows)
    showChosen()
  }

  /// Scrolls to the chosen rows, which a lower window or a long message would hide.
  mutating func showChosen() {
    feeds.choose(row: feeds.cursor.selected, rows: layout.paneRows)
    stories.select(stories.cursor.selected, rows: layout.paneRows)
  }

  /// Clears `lost` after drawing; a line or note being typed, and what waits for it, still mean the
  /// choice before.
  mutating func noteShown() {
    switch question?.kind {
    case .line, .note: return
    default: lost = []
    }
  }

  func check(_ choice: KeySubject) throws {
    guard lost.contains(choice) else { return }
    throw Failure("the \(choice.rawValue) that was chosen is not here any more; nothing was done")
  }

  mutating func update(to library: Library, _ found: FoundStories) throws {
    let isThere = try stories.update(to: library, found, rows: layout.paneRows)
    if !isThere { lost.insert(.story) }
  }

  // MARK: Keys

  mutating func press(_ key: Key) throws -> [BrowserAction] {
    let isAtBottom = if case .click(let row, _) = key { row > layout.paneRows } else { false }
    (message, hasRefused) = ("", false)
    if isAtBottom { return [] }
    if question != nil { return try answerAndGoOn(key) }
    if !sequence.isEmpty { return try pressInSequence(key) }
    switch key {
    case .click(let row, let column): return try click(row - 1, column)
    case .wheelUp(_, let column): return try scroll(column, by: -3)
    case .wheelDown(_, let column): return try scroll(column, by: 3)
    case .character(let sign) where ("0"..."9").contains(sign):
      number = String((number + String(sign)).suffix(6))
      return []
    default: break
    }
    return try press(key.name.map { [$0] } ?? [])
  }

  mutating func goToPane(by step: Int) throws -> [BrowserAction] {
    let hasText = text != nil || layout.slot(.text) != nil
    let panes = BrowserPane.allCases.filter { $0 != .text || hasText }
    let pane = panes[((panes.firstIndex(of: focus) ?? 0) + step + panes.count) % panes.count]
    if pane == .text { return try enterText() }
    focus = pane
    return []
  }

  /// Moves to the text beside the chosen story, which marks it as read.
  mutating func enterText() throws -> [BrowserAction] {
    try check(.story)
    guard let story = try stories.selected(), text?.isOf(story) == true else { return try read() }
    focus = .text
    return try markRead(story)
  }

  // MARK: Texts

  /// Opens a story's text where it was left.
  mutating func open(_ pane: TextPane) {
    var pane = pane
    if let place = pane.shown.flatMap({ textPlaces[$0.named.story.id] }) {
      pane.go(to: place, rows: layout.paneRows)
    }
    text = pane
  }

  private mutating func noteTextPlace() {
    guard let text, !text.isPassing, let id = text.shown?.named.story.id,
      text.lines.count > layout.paneRows, !(hasDetails && text.top == 0)
    else { return }
    textPlaces.note(id, text.place)
  }

  // MARK: Moving

  mutating func move(by step: Int) throws -> [BrowserAction] {
    let rows = layout.paneRows
    switch focus {
    case .feeds: return chooseSource(row: feeds.cursor.selected + step)
    case .stories: stories.select(stories.cursor.selected + step, rows: rows)
    case .text: text?.scroll(by: step, rows: rows)
    }
    return []
  }

  static let far = 1 << 40

  /// Scrolls to the top as well, where the details stand, and back again.
  mutating func toggleDetails() -> [BrowserAction] {
    guard layout.slot(.text) != nil else {
      return say(
        "press \(keys.name(of: "enter")) to open a story; \(keys.name(of: "details")) then shows its details"
      )
    }
    hasDetails.toggle()
    let (rows, story) = (layout.paneRows, hasDetails ? nil : text?.shown?.named.story.id)
    let place = story.flatMap { textPlaces[$0] } ?? TextPlace()
    text?.go(to: place, rows: rows)
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
    case .stories: (focus, isBelowFeeds) = (.feeds, false)
    case .feeds: soughtFeed = []
    }
    return []
  }

  /// True where `q` ends the view.
  var isAtTop: Bool {
    switch focus {
    case .feeds: true
    case .stories: !isBelowFeeds && stories.picked.isEmpty && filter.isEmpty
    case .text: false
    }
  }

  mutating func leaveOrQuit() -> [BrowserAction] {
    isAtTop ? [.quit] : leave()
  }

  mutating func enter() throws -> [BrowserAction] {
    switch focus {
    case .feeds:
      focus = .stories
      return []
    case .stories:
      try check(.story)
      return try openAsItsFeedSays()
    case .text: return number.isEmpty ? [] : try openLink()
    }
  }

  mutating func show(_ lines: [String]) {
    show(TextPane(nil, lines, columns: layout.storyColumns, hasDetails: hasDetails))
  }

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
    let keys = keys
    show(
      TextPane(columns: layout.storyColumns, hasDetails: hasDetails) {
        BrowserHelp.lines(keys, columns: $0)
      }
    )
    return []
  }

  mutating func toggleRead() -> [BrowserAction] {
    feeds.arrange(rows: layout.paneRows) { $0.hidesRead.toggle() }
    readHere = []
    message = hidesRead ? "what is read is hidden" : "what is read is shown"
    return [.listAgain]
  }

  mutating func toggleOrder() -> [BrowserAction] {
    isReversed.toggle()
    var order = (try? query())?.sort ?? SearchSort(.date)
    order.isReversed = order.isReversed != isReversed
    message = order.words
    return [.listAgain]
  }

  mutating func toggleGroups() -> [BrowserAction] {
    isGrouped.toggle()
    message = isGrouped ? "similar stories are in one row" : "each story has a row of its own"
    return [.listAgain]
  }

  mutating func toggleRow() throws -> [BrowserAction] {
    try check(.story)
    guard focus == .stories else { return say("= opens a row of similar stories") }
    guard isGrouped else { return say("c puts similar stories in one row, which = opens") }
    return try stories.toggleRow(rows: layout.paneRows) ? [] : say("no other story is similar")
  }

  mutating func say(_ text: String) -> [BrowserAction] {
    (message, hasRefused) = (text, true)
    return []
  }
}
