import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

/// Draws the table view: each row is one string for each pane, styled by itself.
struct BrowserView {
  let context: CommandContext
  let names: FeedName
  let browser: Browser
  private var style: Style { style(from: 0) }

  private func style(from column: Int) -> Style {
    var style = context.style
    style.origin = column
    return style
  }

  func rows() throws -> [[String]] {
    let layout = browser.layout
    var rows = [[title]]
    let panes = try layout.slots.map { slot in (slot, try lines(slot, layout.paneRows)) }
    rows += (0..<layout.paneRows).map { row in self.row(row, panes) }
    let said = browser.bottomLines
    rows += (said.isEmpty ? [bottom] : said).map {
      [TerminalText.cut($0, to: layout.columns - 1)]
    }
    return Array(rows.prefix(browser.rows))
  }

  /// Puts panes side by side; each begins with a move of the cursor to its own column.
  ///
  /// Terminals disagree about the widths of signs.
  private func row(_ row: Int, _ panes: [(BrowserLayout.Slot, [String])]) -> [String] {
    panes.enumerated().map { number, pane in
      let (slot, lines) = pane
      // A text in the middle has nothing beside it.
      let border =
        number > 0
        ? "\u{1b}[\(slot.column - 1)G\u{1b}[K" + style.dim(bar) + " "
        : String(repeating: " ", count: slot.column)
      return border + (lines.indices.contains(row) ? lines[row] : "")
    }
  }

  private var bar: String { context.isUTF8 ? "│" : "|" }

  /// Returns the place of what keys mean: the cursor of a typed line, the chosen row, the text's top.
  var cursor: ScreenPlace {
    if let column = browser.typedColumns {
      return ScreenPlace(row: browser.rows - 1, column: min(column, browser.columns) - 1)
    }
    let chosen =
      switch browser.focus {
      case .feeds: browser.feeds.cursor
      case .stories: browser.stories.cursor
      case .text: ListCursor()
      }
    let column = browser.layout.slot(browser.focus)?.column ?? 0
    return ScreenPlace(row: 1 + chosen.selected - chosen.top, column: column)
  }

  // MARK: Title and bottom

  private var title: String {
    let (lines, stories) = (browser.stories.count, browser.stories.listed.count)
    let rows = lines < stories ? "\(Count.of(lines, "row")) of " : ""
    var text = " \(browser.source.name)  \(rows)\(Count.stories(stories))"
    let filter = browser.drawn?.filter ?? browser.filter
    if !filter.isEmpty {
      text += "  /\(filter)"
    } else if let count = browser.feeds.unread[browser.source.id] {
      text += ", \(count) unread"
    }
    let columns = browser.layout.columns
    let position = position.map { " \($0) " } ?? ""
    let room = max(columns - position.count, 0)
    text = TerminalText.cut(text, to: room, .apart)
    let line = text + style.fill(after: text, from: 0, to: room) + position
    return style.band(line, .reversed, columns: columns)
  }

  private var position: String? {
    browser.layout.slot(.text).flatMap { _ in
      browser.text?.position(rows: browser.layout.paneRows)
    }
  }

  private var bottom: String {
    if !browser.sequence.isEmpty { return unfinished }
    if !browser.number.isEmpty {
      let hints = hints([("open-link", "opens it"), ("copy-link", "copies it")])
      return "link \(browser.number): \(hints.joined(separator: ", "))"
    }
    let play: [Hint] = hasEpisode ? [("play", "play")] : []
    let next: Hint = ("next", browser.isSearching ? "next match" : "next unread")
    let match = browser.isSearching ? [next] : []
    return switch browser.focus {
    case .feeds:
      keys(
        [("enter", "stories")] + match + [
          ("read-all", "all read"), ("clear", "clear"), ("refresh-all", "refresh"),
          Self.subscribe, Self.undo,
        ]
      )
    case .stories:
      keys(
        [
          ("enter", opensBrowser ? "open" : "read"), next, ("toggle-star", "star"),
          ("search", "filter"), ("to-feeds", "feeds"), Self.subscribe,
        ] + play + [Self.undo]
      )
    case .text where browser.text?.isMenu == true:
      hints([("enter", "opens"), ("copy-link", "copies")]).map { "a number and \($0)  " }
        .joined() + keys([])
    case .text where browser.text?.isPassing == true:
      keys([("read-on", "on")] + match + [("search", "search")])
    case .text:
      keys(
        [
          ("read-on", "on"), next, ("open-link", "open"), ("links", "links"),
          ("fetch-page", "article"),
        ] + play + [("search", "search")]
      )
    }
  }

  /// An operation of the view, and the word that the bottom line has for it.
  private typealias Hint = (line: String, word: String)

  private static let subscribe: Hint = (":subscribe ", "subscribe")
  private static let undo: Hint = ("undo --ask", "undo")

  private var unfinished: String {
    let ways = browser.keys.continuations(of: browser.sequence)
    let line = { (ways: [String]) in
      ([KeyMap.text(browser.sequence) + " …"] + ways + ["Esc ends it"]).joined(separator: "  ")
    }
    let whole = line(ways.map { "\($0.keys): \($0.line)" })
    return TerminalText.width(whole) < browser.columns ? whole : line(ways.map(\.keys))
  }

  /// Names the keys of as many operations as have room, and of help and end.
  private func keys(_ operations: [Hint]) -> String {
    let last = hints([("keys", "keys"), end])
    let line = { (hints: [String]) in (hints + last).joined(separator: "  ") }
    let shown = hints(operations).reduce([]) { shown, hint in
      line(shown + [hint]).count < browser.columns ? shown + [hint] : shown
    }
    return line(shown)
  }

  private var end: Hint {
    let way = "back-or-quit"
    guard browser.keys.key(for: way) != nil else { return ("quit", "quit") }
    return (way, browser.isAtTop ? "quit" : "back")
  }

  /// Returns each operation's first key and word; one that the reader took all keys from is left out.
  private func hints(_ hints: [Hint]) -> [String] {
    hints.compactMap { hint in browser.keys.key(for: hint.line).map { "\($0) \(hint.word)" } }
  }

  private var opensBrowser: Bool {
    (try? browser.stories.selected())?.map { browser.opening(of: $0) == "browser" } ?? false
  }

  private var hasEpisode: Bool {
    (try? browser.chosen())??.item.enclosures.contains(where: \.plays) ?? false
  }

  // MARK: Panes

  private func lines(_ slot: BrowserLayout.Slot, _ rows: Int) throws -> [String] {
    switch slot.pane {
    case .feeds: return sources(slot, rows)
    case .stories: return try stories(slot, rows)
    case .text:
      let text = browser.text
      return text.map { text in
        text.lines.dropFirst(text.top).prefix(rows).map { line in
          let line = TerminalText.folded(line, to: slot.width).first ?? ""
          return text.hasFound(line)
            ? style.styled(TerminalText.unstyled(line), .reversed) : line
        }
      } ?? []
    }
  }

  private func sources(_ slot: BrowserLayout.Slot, _ rows: Int) -> [String] {
    let style = style(from: slot.column + Self.signColumns)
    let width = slot.width - Self.signColumns
    let feeds = browser.feeds
    let most = feeds.unread.values.max() ?? 0
    let limit = max(width - "   \(most)".count, 1)
    return feeds.cursor.range(of: feeds.shown.count, rows: rows).map { index in
      let source = feeds.shown[index]
      let count = feeds.unread[source.id, default: 0]
      let marks = source.settings.marks(at: context.clock.date).map(\.rawValue)
      let fault = feeds.failing.contains(source.id) ? ["!"] : []
      let signs = marks + fault + (count > 0 ? ["\(count)"] : [])
      let number = signs.map { " " + $0 }.joined()
      let sign =
        switch source.kind {
        case .view: ""
        case .feed: source.tag == nil ? "" : "  "
        case .search: "/"
        case .tag: feeds.isFolded(source) ? "+#" : "#"
        }
      let room = max(width - number.count, 1)
      let isWhole = TerminalText.width(sign + source.name, .apart) <= room
      let whole = sign + (isWhole ? source.name : names.short(columns: limit).name(source.name))
      let name = TerminalText.cut(whole, to: room, .apart)
      let line = name + style.fill(after: name, from: 0, to: room) + number
      let isChosen = index == feeds.cursor.selected
      return chosen(isChosen, browser.focus == .feeds, line, in: slot, isBold: count > 0)
    }
  }

  private func stories(_ slot: BrowserLayout.Slot, _ rows: Int) throws -> [String] {
    guard browser.stories.count > 0 else {
      return TerminalText.wrap(nothing, to: slot.width - Self.signColumns)
        .map { "  " + TerminalText.cut($0, to: slot.width - Self.signColumns) }
    }
    let dates = StoryDates(.relative, clock: context.clock)
    let listing = StoryListing(browser.stories.library, browser.source.query, dates, nil, context)
    let shown = try browser.stories.shown(rows: rows)
    let top = browser.stories.cursor.top
    let stories = try shown.enumerated().map { (row, story) in
      var listed = listing.story(NamedStory(number: nil, story: story))
      if story.item.enclosures.contains(where: \.plays) { listed.title = "♪ " + listed.title }
      try dress(&listed, asLine: top + row, of: browser.stories)
      return listed
    }
    let table = ListTable(
      stories,
      columns: slot.width - Self.signColumns,
      feeds: browser.source.kind == .feed ? nil : names,
      style: style(from: slot.column + Self.signColumns),
      dates: dates,
      .pane,
    )
    var plain = table
    (plain.style.isColored, plain.style.hasHyperlinks) = (false, false)
    return stories.enumerated().map { row, story in
      let isChosen = browser.stories.cursor.top + row == browser.stories.cursor.selected
      let isPicked = browser.stories.picked.contains(shown[row].id)
      guard isChosen, browser.focus == .stories else {
        return chosen(isChosen, false, table.line(story), in: slot, isPicked: isPicked)
      }
      let line = plain.line(story)
      return chosen(true, true, line, in: slot, isBold: !story.isRead, isPicked: isPicked)
    }
  }

  /// Puts `+2` before the title of a row of three stories, shows the marks that any of them has,
  /// and sets off those below an opened one.
  private func dress(_ story: inout ListedStory, asLine index: Int, of stories: StoryPane) throws {
    if stories.isInRow(index) { story.title = "  " + story.title }
    let others = stories.row(at: index).count - 1
    guard others > 0 else { return }
    let row = try stories.stories(ofLine: index)
    story.title = "+\(others) \(story.title)"
    story.isRead = row.allSatisfy(\.isRead)
    story.isStarred = row.contains(where: \.isStarred)
    story.hasNote = row.contains { $0.note != nil }
  }

  private var nothing: String {
    if browser.isAllRead {
      let key = browser.hidesRead ? ": \(browser.keys.name(of: "show-read")) shows them" : ""
      return "all stories here are read\(key)"
    }
    if !browser.filter.isEmpty || browser.hidesRead || browser.source.query.isUnread {
      return "nothing here"
    }
    if browser.source.query.isStarred {
      return "nothing is starred yet: \(browser.keys.name(of: "toggle-star")) stars a story"
    }
    return browser.stories.library.subscriptions.isEmpty
      ? "no feeds yet: \(browser.keys.key(for: Self.subscribe.line) ?? ":subscribe") subscribes to one"
      : "no stories here yet: \(browser.keys.name(of: "refresh-all")) refreshes the feeds"
  }

  private func chosen(
    _ isChosen: Bool,
    _ isFocused: Bool,
    _ text: String,
    in slot: BrowserLayout.Slot,
    isBold: Bool = false,
    isPicked: Bool = false,
  ) -> String {
    let sign = isChosen ? (context.isUTF8 ? "›" : ">") : " "
    let line = sign + (isPicked ? "+" : " ") + text
    var textStyle: TextStyle = isBold ? .bold : []
    if isChosen, isFocused { textStyle.insert(.reversed) }
    return style(from: slot.column).band(line, textStyle, columns: slot.width)
  }

  private static let signColumns = 2
}
