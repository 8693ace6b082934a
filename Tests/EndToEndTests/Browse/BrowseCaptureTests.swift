import TestSupport
import Testing

/// The texts of `Fixtures/stories` as the table view shows them in a real terminal, compared with the
/// files in `Fixtures/stories/browse`.
///
/// With `NEWS_OUTPUT=write` in the environment the files are written instead.
@Suite("Real stories in news browse")
struct BrowseCaptureTests {
  private static func stories() throws -> [(name: String, title: String, text: String)] {
    let table = try readText(BuiltProduct.fixture("stories/real/stories.tsv"))
    let real = try table.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t").map(String.init)
      let text = try readText(BuiltProduct.fixture("stories/real/\(fields[0]).html"))
      return (fields[0], fields[1], text)
    }
    let made = try readText(BuiltProduct.fixture("stories/everything.html"))
    return [("everything", "Everything that a story may have", made)] + real
  }

  private func stock(_ news: News) throws {
    let items = try Self.stories().enumerated().map { place, story in
      let fields = [
        ("title", story.title), ("link", "https://example.com/\(story.name)"),
        ("pubDate", "\(28 - place) Jun 2020 12:00:00 GMT"), ("description", story.text),
      ]
      let elements = fields.map { name, text in
        "<\(name)>\(text.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</\(name)>"
      }
      return "<item>\(elements.joined())</item>"
    }
    let path = try news.folder.write(
      "<rss version=\"2.0\"><channel><title>Real</title>\(items.joined())</channel></rss>",
      to: "feed.xml",
    )
    #expect(try news.run("subscribe", path).status == 0)
  }

  @Test("are shown as captured, to the letter", arguments: [(80, 24), (200, 50)])
  func golden(_ columns: Int, _ rows: Int) throws {
    let news = try News()
    try stock(news)
    let window = try TerminalWindow(
      columns: columns,
      rows: rows,
      in: news.folder.path,
      environment: news.settings,
    )
    try window.run("TERM=tmux-256color \(news.program) browse")
    try window.wait(for: "11 unread")
    try compare(window, "list", columns, rows)
    try window.press("Enter")
    for (place, story) in try Self.stories().enumerated() {
      if place > 0 { try window.press("n") }
      try window.wait { $0.contains("\(10 - place) unread") && Self.hasText(of: story.title, $0) }
      try compare(window, story.name, columns, rows)
    }
  }

  /// Returns true if the title stands at the beginning of a line, or of the pane.
  private static func hasText(of title: String, _ screen: String) -> Bool {
    screen.split(separator: "\n").contains { line in
      let pane = line.split(separator: "│ ").last ?? line
      return title.hasPrefix(pane.prefix(12)) && !pane.isEmpty
    }
  }

  private func compare(
    _ window: TerminalWindow,
    _ name: String,
    _ columns: Int,
    _ rows: Int,
  ) throws {
    let shown = try window.rows.joined(separator: "\n")
    let path = BuiltProduct.fixture("stories/browse/\(name)-\(columns)x\(rows).txt")
    if getenv("NEWS_OUTPUT").map({ String(cString: $0) }) == "write" {
      try writeFile(path, shown.utf8)
    }
    #expect(shown == (try readText(path)))
  }
}
