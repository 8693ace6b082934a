import CommandLine
import FeedModel

/// A key of the table view: a name for a line that can also be typed after `:`.
struct BrowserKey: Sendable {
  let keys: [String]
  let line: String
  let meaning: String
  /// The line's own effect; nil for a command of `news` or a program.
  let act: (@Sendable (inout Browser) throws -> [BrowserAction])?

  init(
    _ keys: String,
    _ line: String,
    _ meaning: String,
    _ act: (@Sendable (inout Browser) throws -> [BrowserAction])? = nil,
  ) {
    self.keys = keys.split(separator: " ").map(String.init)
    (self.line, self.meaning, self.act) = (line, meaning, act)
  }
}

/// The default keys, which the reader's own lines can change.
enum BrowserKeys {
  static let topics: [(name: String, keys: [BrowserKey])] = [
    ("Move", moving), ("Read", reading), ("Stories", ofStories), ("Feeds", ofFeeds),
    ("The view", ofView),
  ]

  static var all: [BrowserKey] { topics.flatMap(\.keys) }

  static func key(for line: String) -> BrowserKey? { all.first { $0.line == line } }

  private static let moving: [BrowserKey] = [
    .init("j Down", "down", "a row or a line down") { try $0.move(by: 1) },
    .init("k Up", "up", "a row or a line up") { try $0.move(by: -1) },
    .init("PgDn", "page-down", "a page down") { try $0.move(by: $0.layout.paneRows) },
    .init("PgUp", "page-up", "a page up") { try $0.move(by: -$0.layout.paneRows) },
    .init("g Home", "first", "to the first row or line") { try $0.move(by: -Browser.far) },
    .init("G End", "last", "to the last row or line") { try $0.move(by: Browser.far) },
    .init("Enter Right", "enter", "the stories of a feed; a story, which is read then") {
      try $0.enter()
    },
    .init("Esc Left h Backspace", "back", "back to the stories, and from there to the feeds") {
      $0.leave()
    },
    .init("Tab", "next-pane", "to the next pane") { try $0.goToPane(by: 1) },
    .init("BackTab", "previous-pane", "to the pane before") { try $0.goToPane(by: -1) },
    .init("", "next-feed", "to the next feed") { $0.goToFeed(by: 1) },
    .init("", "previous-feed", "to the feed before") { $0.goToFeed(by: -1) },
    .init("", "next-unread-feed", "to the next feed with unread stories") {
      $0.goToFeed(by: 1, isUnread: true)
    },
    .init("", "previous-unread-feed", "to the feed before with unread stories") {
      $0.goToFeed(by: -1, isUnread: true)
    },
    .init("f", "to-feeds", "to the feeds") { $0.goToFeeds() },
    .init("t", "to-tags", "to the tags, one after the other") { $0.goToTags() },
  ]

  private static let reading: [BrowserKey] = [
    .init("Space", "read-on", "a page on, and behind the end the next unread story") {
      try $0.page()
    },
    .init("n", "next", "the next unread story; in a search, the next match") {
      try $0.goOn(by: 1)
    },
    .init("p", "previous-unread", "the unread story before") { try $0.goToUnread(by: -1) },
    .init("", "search-back", "in a search, the match before") { $0.find(by: -1) },
    .init("/", "search", "filter stories; search a text; jump to a feed") {
      $0.askForWords()
    },
    .init("i", "details", "show or hide what else is known of the story") { $0.toggleDetails() },
    .init("F", "fetch-page", "the article of the story's page; again: the feed's text") {
      try $0.fetchPage()
    },
    .init("l", "show-read", "show or hide what is read, feeds as well") { $0.toggleRead() },
    .init("c", "group", "similar stories of several feeds in one row, or each in its own") {
      $0.toggleGroups()
    },
    .init("=", "open-row", "open a row of similar stories, or close it") {
      try $0.toggleRow()
    },
    .init("<", "oldest-first", "turn the order round: the oldest first, or Z to A") {
      $0.toggleOrder()
    },
  ]

  private static let ofStories: [BrowserKey] = [
    .init("o", "open-link", "open the story in the browser; 3o opens its link 3") {
      try $0.openLink()
    },
    .init("L", "links", "show the links, numbered: 3 Enter opens, 3y copies") {
      try $0.showLinks()
    },
    .init("u", "toggle-read", "mark as unread, or as read again") {
      try $0.mark { $0.allSatisfy(\.isRead) ? UnreadCommand.self : ReadCommand.self }
    },
    .init("s", "toggle-star", "star, or remove the star") {
      try $0.mark { $0.contains(where: \.isStarred) ? UnstarCommand.self : StarCommand.self }
    },
    .init("", "read above", "mark what stands above the row as read") {
      try $0.readRest(isAbove: true)
    },
    .init("", "read below", "mark what stands below the row as read") {
      try $0.readRest(isAbove: false)
    },
    .init("T", ":tag ", "tag the story; :untag removes a tag"),
    .init("N", "note", "write a note on the story; in a search, the match before") {
      try $0.note()
    },
    .init("x", "delete", "delete the story for good, unless it is starred"),
    .init("v", "pick", "pick the row for the next command, or not") {
      try $0.pick()
    },
    .init("%", "pick-all", "pick all rows, or none") { try $0.pickAll() },
    .init("e", "play", "play the episode"),
    .init("D", "download", "download the episode"),
    .init("y", "copy-link", "copy the link; 3y copies link 3") { try $0.copyLink() },
    .init("S", "save-text", "save the text as a file, where episodes go (download --to)") {
      try $0.takeMeant().map { .save($0) }
    },
    .init("|", "|less", "give the text to a program"),
  ]

  private static let ofFeeds: [BrowserKey] = [
    .init("A", "read-all", "mark all stories of the list as read") {
      try $0.readAll()
    },
    .init("r", "refresh-all", "refresh all feeds, while you read on") { _ in [.refresh([])] },
    .init("R", "refresh-feed", "refresh this feed alone, or those of this tag") {
      try $0.refreshFeed()
    },
    .init("a", ":subscribe ", "subscribe to a feed"),
    .init(">", "sort-feeds", "feeds by title, by unread stories, as in the file") {
      $0.sortFeeds()
    },
    .init("-", "fold", "fold the feeds of the tag, or unfold them") { $0.fold() },
    .init("+", "fold-all", "fold the feeds of all tags, or unfold them") { $0.foldAll() },
    .init("d", "clear", "clear the stories of the feed, after asking") { try $0.askToClear() },
  ]

  private static let ofView: [BrowserKey] = [
    .init(":", ":", "type a command of news; Tab completes it") { $0.askForLine("") },
    .init("z", "undo --ask", "undo the last change; what is more than marks, after asking"),
    .init("?", "keys", "show these keys; / searches them") { $0.showKeys() },
    .init("^L", "redraw", "redraw the screen") { _ in [.redraw] },
    .init("^Z", "suspend", "stop; fg goes on") { _ in [.suspend] },
    .init("!", "message", "show the last message, whole") { $0.showMessage() },
    .init("q", "back-or-quit", "back as Esc; from the feeds, and the list begun with, quit") {
      $0.leaveOrQuit()
    },
    .init("Q ^C", "quit", "quit at once") { _ in [.quit] },
  ]
}

extension Key {
  /// The name in `keys`; nil for the mouse and for pastes.
  var name: String? {
    switch self {
    case .character(" "): "Space"
    case .character(let sign): String(sign)
    case .control(let sign): "^" + sign.uppercased()
    case .click, .wheelUp, .wheelDown, .pasted: nil
    default: Self.names.first { $0.key == self }?.name
    }
  }

  static let names: [(name: String, key: Key)] = [
    ("Enter", .enter), ("Esc", .escape), ("Tab", .tab), ("BackTab", .backTab),
    ("Backspace", .backspace), ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right),
    ("PgUp", .pageUp), ("PgDn", .pageDown), ("Home", .home), ("End", .end),
  ]
}
