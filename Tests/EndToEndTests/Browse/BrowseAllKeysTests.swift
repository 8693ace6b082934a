import TestSupport
import Testing

@Suite("Every key of the table view, in windows of three sizes")
struct BrowseAllKeysTests {
  private struct Press {
    let keys: [String]
    let isShown: @Sendable (String) -> Bool

    init(_ keys: String, _ isShown: @escaping @Sendable (String) -> Bool) {
      self.keys = keys.split(separator: " ").map(String.init)
      self.isShown = isShown
    }

    init(_ keys: String, _ text: String) {
      self.init(keys) { $0.contains(text) }
    }
  }

  private static let inFeeds = "Enter stories  A all read"
  private static let inStories = "Enter read  n next unread"
  private static let inText = "Space on  n next unread"

  private static let moving = [
    Press("j", "› • Story 2 "), Press("Down", "› • Story 3 "), Press("k", "› • Story 2 "),
    Press("Up", "› • Story 1 "), Press("PgDn") { !$0.contains("› • Story 1 ") },
    Press("PgUp", "› • Story 1 "), Press("G", "› • ♪ Talk"), Press("g", "› • Story 1 "),
    Press("End", "› • ♪ Talk"), Press("Home", "› • Story 1 "),
    Press("Enter", inText), Press("Escape", inStories), Press("Right", inText),
    Press("Left", inStories), Press("Enter", inText), Press("h", inStories),
    Press("Enter", inText), Press("BSpace", inStories), Press("Tab", inText),
    Press("BTab", inStories), Press("f", inFeeds), Press("t", "› #work"),
  ]

  private static let ofFeeds = [
    Press("-", "› +#work"), Press("-", "› #work"), Press("+", "› +#work"), Press("+", "› #work"),
    Press(">", "feeds by title"), Press("d", "Clear 40 stories of Daily? [y/N] _"),
    Press("n Enter", "nothing was cleared"), Press("R", "nothing new in 1 feed"),
    Press("r", "nothing new in 2 feeds"), Press("A", " 0 unread"),
    Press("z", "39 stories are unread"),
    Press("a", ":subscribe _"), Press("C-u", ":_"), Press("Escape", inFeeds),
    Press("t", inFeeds), Press("g", "41 stories, 40 unread"), Press("Enter", inStories),
  ]

  private static let reading = [
    Press("n", "› • Story 2 "), Press("Enter", "Paragraph 1 of story 2."),
    Press("n", "Paragraph 1 of story 3."), Press("u", "39 unread"),
    Press("n", "Paragraph 1 of story 4."), Press("p", "Paragraph 1 of story 3."),
    Press("/ 1 9 Enter", "Paragraph 19 of story 3."), Press("N", "Paragraph 19 of story 3."),
    Press("h h", inStories), Press("Enter", "Paragraph 19 of story 3."),
    Press("g", "Paragraph 1 of story 3."), Press("i", "Published "),
    Press("i") { !$0.contains("Published ") },
    Press("Space") { !$0.contains("Paragraph 1 of story 3.") }, Press("Escape", inStories),
    Press("l", "what is read is hidden"), Press("l", "what is read is shown"),
    Press("<", "oldest first"), Press("g", "› • ♪ Talk"), Press("Enter", "A short text."),
    Press("F", "The whole article stands here"), Press("Escape", inStories),
  ]

  private static let ofStories = [
    Press("c", "similar stories are in one row"), Press("=", "no other story is similar"),
    Press("c", "each story has a row of its own"),
    Press("s", "★ ♪ Talk"), Press("z") { !$0.contains("★") }, Press("u", "› • ♪ Talk"),
    Press("x", "1 story deleted"), Press("z", "1 story is back? [y/N] _"),
    Press("y Enter") { $0.contains("1 story is back") && !$0.contains("[y/N]") },
    Press("g", "› • ♪ Talk"),
    Press("T", ":tag _"), Press("C-u", ":_"), Press("Escape", inStories),
    Press("v", " +• ♪ Talk"), Press("k", "›+• ♪ Talk"),
    Press("v") { !$0.contains("+• ♪ Talk") }, Press("g", "› • ♪ Talk"),
    Press("%") { $0.contains("›+") && $0.contains("+• Story 40") },
    Press("%") { !$0.contains("›+") }, Press("y", "copied http://"), Press("S", "saved "),
    Press("e", "playing"), Press("Enter", "41 stories"),
    Press("D") { $0.contains("Downloads/") && !$0.contains("saved") },
    Press("o", "at http://"), Press("Enter", "41 stories"), Press("|", "the text was read"),
    Press("Enter", "41 stories"), Press("Enter", inText), Press("L", "a number and Enter opens"),
    Press("Escape", inText),
  ]

  private static let ofView = [
    Press(":", ":_"), Press("Escape", inText), Press("?", "to the next pane"),
    Press("Escape") { !$0.contains("to the next pane") }, Press("C-l", inText),
    Press("C-z", "Stopped"),
    Press("f g Enter", inText), Press("q", inStories), Press("!") { !$0.contains(inStories) },
    Press("q", inStories), Press("Q", "Stopped"),
  ]

  @Test("does what its help says", arguments: [(80, 24), (120, 40), (200, 50)])
  func pressed(_ columns: Int, _ rows: Int) throws {
    let scene = try BrowseScene()
    let server = try server()
    _ = try scene.news.run("feeds", "set", "Daily", "--tag", "work")
    _ = try scene.news.run("subscribe", server.url("/feed"))
    let window = try scene.window(
      "browse --all",
      columns: columns,
      rows: rows,
      environment: try programs(scene.news),
    )
    try window.wait(for: "41 stories, 41 unread")
    let all = Self.moving + Self.ofFeeds + Self.reading + Self.ofStories + Self.ofView
    for press in all {
      for key in press.keys { try window.press(key) }
      do { try window.wait(until: press.isShown) } catch {
        Issue.record("\(press.keys): \(error)")
        return
      }
    }
    let pressed = Set(all.flatMap(\.keys).map { Self.names[$0] ?? $0 })
    #expect(try keys(scene.news).subtracting(pressed) == ["^C"])
    try window.run("TERM=tmux-256color \(scene.news.program) browse; echo again=$?")
    try window.wait { $0.contains(Self.inStories) || $0.contains(Self.inText) }
    try window.press("C-c")
    try window.wait(for: "again=0")
  }

  /// The keys that tmux names differently from `keys`.
  private static let names = [
    "Escape": "Esc", "BSpace": "Backspace", "BTab": "BackTab", "C-l": "^L", "C-z": "^Z",
  ]

  private func keys(_ news: News) throws -> Set<String> {
    let lines = try news.run("browse", "--keys").text.split(separator: "\n")
    return Set(lines.compactMap { $0.split(separator: " ").first.map(String.init) })
  }

  private func server() throws -> FaultyServer {
    let item =
      "<item><title>Talk</title><pubDate>28 Oct 2020 10:00:00 GMT</pubDate><link>/page</link>"
      + "<description>A short text.</description>"
      + "<enclosure url=\"/talk.mp3\" type=\"audio/mpeg\"/></item>"
    let article = (1...12).map {
      "<p>The whole article stands here, and part \($0) of it is long enough to be one.</p>"
    }.joined()
    let sound = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 5\r\n\r\nsound"
    return try FaultyServer([
      "/feed": .response(
        body: "<rss version=\"2.0\"><channel><title>Talks</title>\(item)</channel></rss>"
      ),
      "/page": .response(body: "<html><body><article>\(article)</article></body></html>"),
      "/talk.mp3": FaultyAnswer([.send(Array(sound.utf8))]),
    ])
  }

  /// Writes a player, a browser and a reader of texts, each of which waits for Enter.
  private func programs(_ news: News) throws -> [String: String] {
    func program(_ name: String, _ line: String) throws -> String {
      let wait = "read -p \"\(line) $1 \" line < /dev/tty"
      return try news.writeProgram(name, "#!/bin/bash\n\(wait)\n")
    }
    _ = try Subprocess.run(["mkdir", "-p", news.folder.path(".config/news")])
    try news.folder.write(
      "| |\(try program("reader", "the text was read"))\n",
      to: ".config/news/keys",
    )
    return [
      "NEWS_PLAYER": try program("player", "playing"), "BROWSER": try program("browser", "at"),
    ]
  }
}
