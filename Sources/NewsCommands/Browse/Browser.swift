import CommandLine
import FeedModel
import FeedStorage
import HTMLText

/// What a key asks for that the table view cannot do by itself.
enum BrowserAction: Hashable, Sendable {
  /// Show a story's text.
  case show(StoredItem)
  /// Mark a story, as the command of that name does; what `browse` itself reads is not undone.
  case mark(id: String, ItemMarks, command: String)
  /// Have the page of a story fetched for its text.
  case fetchPage(StoredItem)
  /// Run a command of `news`, and tell what it says.
  case command([String])
  /// Open a link in the browser, which may use the terminal.
  case open(String)
  /// List the stories of the source and the filter anew.
  case list
  /// List them, and go to the first unread one.
  case listUnread
  /// Count what is unread, and look for the next such story then.
  case countForUnread(step: Int)
  case refresh
  case suspend
  case redraw
  case quit
}

/// The table view: what is shown, and what keys make of it.
///
/// Touches neither the terminal nor the network; reads stories, and has others change them.
struct Browser {
  var columns = 80
  var rows = 24
  var focus = BrowserPane.stories
  private(set) var sources: [BrowserSource] = []
  private(set) var sourceCursor = ListCursor()
  /// By the places of the sources; empty until they are counted.
  var unread: [Int] = []
  var stories: StoryPane
  /// The text beside the list, or in its place; nil where there is none to show.
  var text: TextPane? { didSet { hasTextPane = hasTextPane || text != nil } }
  /// Once a text was read, a wide window keeps room for one.
  private(set) var hasTextPane = false
  /// The words that stories are filtered by.
  var filter = ""
  var question: BrowserQuestion?
  var isHelpShown = false
  /// Whether a text tells of its story what `show` does: id, guid, when it was stored.
  private(set) var hasDetails = false
  /// What is said at the bottom, until the next key.
  var message = ""
  /// What the command line asks for, where it is no other source.
  private let own: BrowserSource?
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
  ) {
    stories = StoryPane(library)
    let sources = BrowserSource.all(of: library.subscriptions, rules)
    let index = sources.firstIndex { $0.words == words || $0.query == query }
    let name = words.map { $0.hasPrefix("--") ? String($0.dropFirst(2)) : $0 }
    own =
      index == nil
      ? BrowserSource(
        kind: .view,
        name: SafeText.line(name.joined(separator: " ")),
        words: words,
        query: query,
      ) : nil
    update(sources: sources)
    sourceCursor.select(index ?? 0, of: self.sources.count, rows: layout.paneRows)
  }

  var layout: BrowserLayout {
    BrowserLayout(columns: columns, rows: rows, focus: focus, hasText: hasTextPane)
  }

  var source: BrowserSource { sources[sourceCursor.selected] }

  /// What is to be listed.
  func query() throws(CommandError) -> StoryQuery {
    var query = source.query
    guard !filter.isEmpty else { return query }
    do { try query.text.add(filter) } catch {
      throw .failed("not a regular expression: \(error.reason)")
    }
    return query
  }

  /// Takes the sources of another version of the store; the chosen one stays, if it is still there.
  mutating func update(sources: [BrowserSource]) {
    let chosen = self.sources.isEmpty ? nil : source.words
    self.sources = (own.map { [$0] } ?? []) + sources
    unread = []
    let index = chosen.flatMap { words in self.sources.firstIndex { $0.words == words } } ?? 0
    sourceCursor.follow(to: index, of: self.sources.count, rows: layout.paneRows)
  }

  // MARK: Keys

  mutating func press(_ key: Key) throws(StorageError) -> [BrowserAction] {
    message = ""
    if isHelpShown {
      isHelpShown = false
      return []
    }
    if question != nil { return answer(key) }
    defer { if case .character(let sign) = key, sign.isNumber {} else { number = "" } }
    switch key {
    case .control("c"): return [.quit]
    case .control("z"): return [.suspend]
    case .control("l"): return [.redraw]
    case .character(let sign): return try press(sign)
    case .click(let row, let column): return try click(row - 1, column)
    case .wheelUp(_, let column): return try scroll(column, by: -3)
    case .wheelDown(_, let column): return try scroll(column, by: 3)
    default: return try move(key)
    }
  }

  private mutating func move(_ key: Key) throws(StorageError) -> [BrowserAction] {
    switch key {
    case .up: return try move(by: -1)
    case .down: return try move(by: 1)
    case .pageUp: return try move(by: -layout.paneRows)
    case .pageDown: return try move(by: layout.paneRows)
    case .home: return try move(by: -Self.far)
    case .end: return try move(by: Self.far)
    case .enter, .right: return try enter()
    case .left, .escape, .backspace: return leave()
    case .tab: return try turn(to: BrowserPane(rawValue: focus.rawValue + 1) ?? .feeds, or: .feeds)
    case .backTab:
      return try turn(to: BrowserPane(rawValue: focus.rawValue - 1) ?? .text, or: .stories)
    default: break
    }
    return []
  }

  /// Goes to a pane, or where no text was read yet to another one.
  private mutating func turn(
    to pane: BrowserPane,
    or other: BrowserPane,
  ) throws(StorageError) -> [BrowserAction] {
    if pane == .text, hasTextPane { return try enterText() }
    focus = pane == .text ? other : pane
    return []
  }

  /// Goes on in the text that stands beside the chosen story, which is read then.
  mutating func enterText() throws(StorageError) -> [BrowserAction] {
    guard let story = try stories.selected(), text?.isOf(story) == true else { return try read() }
    focus = .text
    return markRead(story)
  }

  private mutating func press(_ sign: Character) throws(StorageError) -> [BrowserAction] {
    switch sign {
    case "j": return try move(by: 1)
    case "k": return try move(by: -1)
    case "g": return try move(by: -Self.far)
    case "G": return try move(by: Self.far)
    case "l": return try enter()
    case "h": return leave()
    case " ": return try page()
    case "n": return try goToUnread(by: 1)
    case "p": return try goToUnread(by: -1)
    case "u": return try mark { $0.isRead ? UnreadCommand.self : ReadCommand.self }
    case "s": return try mark { $0.isStarred ? UnstarCommand.self : StarCommand.self }
    case "o": return try openLink()
    case "F":
      guard let story = try chosen() else { return [] }
      message = "fetching the page…"
      return [.fetchPage(story)]
    case "A":
      let words = filter.isEmpty ? [] : ["--grep", filter]
      return [.command(["read", "--all"] + source.words + words)]
    case "r": return [.refresh]
    case "f": focus = .feeds
    case "t": return goToTags()
    case "d": return askToClear()
    case "z": return [.command(["undo"])]
    case "/": question = .filter(before: filter)
    case "i": return toggleDetails()
    case "?": isHelpShown = true
    case "q": return [.quit]
    case "0"..."9": number = String((number + String(sign)).suffix(6))
    default: break
    }
    return []
  }

  // MARK: Moving

  /// A row, a page, or as far as it goes: lists by the chosen row, texts by the upper one.
  mutating func move(by step: Int) throws(StorageError) -> [BrowserAction] {
    let rows = layout.paneRows
    switch focus {
    case .feeds: return chooseSource(sourceCursor.selected + step)
    case .stories: stories.select(stories.cursor.selected + step, rows: rows)
    case .text: text?.scroll(by: step, rows: rows)
    }
    return []
  }

  /// More rows than any list or text has.
  static let far = 1 << 40

  mutating func chooseSource(_ index: Int) -> [BrowserAction] {
    let before = sourceCursor.selected
    sourceCursor.select(index, of: sources.count, rows: layout.paneRows)
    guard sourceCursor.selected != before else { return [] }
    readHere = []
    return [.list]
  }

  private mutating func goToTags() -> [BrowserAction] {
    let tags = sources.indices.filter { sources[$0].kind == .tag }
    guard let first = tags.first else {
      return say("no feed has a tag: news feeds set FEED --tag TAG gives it one")
    }
    let isOnFeeds = focus == .feeds
    focus = .feeds
    return chooseSource(isOnFeeds ? tags.first { $0 > sourceCursor.selected } ?? first : first)
  }

  /// The details stand on top, and so they are seen.
  private mutating func toggleDetails() -> [BrowserAction] {
    guard layout.place(.text) != nil else {
      return say("i shows the details of a text: Enter opens one")
    }
    hasDetails.toggle()
    let rows = layout.paneRows
    text?.scroll(by: -Self.far, rows: rows)
    return []
  }

  private mutating func leave() -> [BrowserAction] {
    switch focus {
    case .text: focus = .stories
    case .stories where !filter.isEmpty:
      filter = ""
      return [.list]
    case .stories: focus = .feeds
    case .feeds: break
    }
    return []
  }

  mutating func enter() throws(StorageError) -> [BrowserAction] {
    switch focus {
    case .feeds:
      focus = .stories
      return []
    case .stories: return try read()
    case .text: return []
    }
  }

  mutating func say(_ text: String) -> [BrowserAction] {
    message = text
    return []
  }
}
