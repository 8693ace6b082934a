import TestSupport
import Testing

@Suite("The columns of the table view, in a real terminal")
struct BrowseColumnTests {
  @Test("counts, dates and borders stand straight beside signs that terminals do not agree on")
  func columns() throws {
    let news = try News()
    let names = ["Plain", "👨‍👩‍👧 Family", "🇩🇪 Flag", "👨‍👩‍👧🇩🇪🇫🇷 Both", "東京", "☀️ Sun", "👍🏽 Thumb"]
    for name in names {
      let items = names.enumerated().map { index, title in
        "<item><title>\(title)</title><guid>\(name) \(index)</guid>"
          + "<pubDate>\(20 - index) Jun 2020 00:00:00 GMT</pubDate></item>"
      }
      let feed =
        "<rss version='2.0'><channel><title>\(name)</title>\(items.joined())</channel></rss>"
      let path = try news.folder.write(feed, to: "\(name.utf8.count).xml")
      _ = try news.run("subscribe", path)
    }
    let window = try TerminalWindow(
      columns: 170,
      rows: 60,
      in: news.folder.path,
      environment: news.settings,
    )
    try window.run("TERM=tmux-256color \(news.program) browse --color never")
    try window.wait(for: "49 unread")
    try window.press("Enter")
    try window.wait(for: "48 unread")
    try window.press("Escape")
    try window.wait(for: "Enter read")
    let rows = try window.rows
    let stories = rows.filter { $0.contains("Jun 2020") }
    #expect(stories.count { $0.contains(" Jun 2020 │") } == 49, "\(rows)")
    let feeds = names.map { name in rows.first { $0.hasPrefix("  \(name)  ") } }
    for feed in feeds {
      let start = feed?.prefix { $0 != "│" }
      #expect(start?.hasSuffix(" 7 ") == true || start?.hasSuffix(" 6 ") == true, "\(rows)")
    }
  }

  @Test(
    "the line at the bottom names what there is room for, and what plays a recording beside one"
  )
  func bottom() throws {
    let news = try News()
    let recording = "<enclosure url='https://a.example/1.mp3' type='audio/mpeg' length='1'/></item>"
    let feed = BrowseScene.rss(1...2).replacing("</item>", with: recording, maxReplacements: 1)
    _ = try news.run("subscribe", try news.folder.write(feed, to: "feed.xml"))
    let window = try TerminalWindow(
      columns: 100,
      in: news.folder.path,
      environment: news.settings,
    )
    try window.run("TERM=tmux-256color \(news.program) browse")
    try window.wait(for: "f feeds  a subscribe  e play  z undo  ? keys  q quit")
    try window.press("j")
    try window.wait(for: "f feeds  a subscribe  z undo  ? keys  q quit")
    try window.resize(columns: 80, rows: 24)
    try window.wait(for: "f feeds  z undo  ? keys  q quit")
    try window.resize(columns: 70, rows: 24)
    try window.wait(for: "f feeds  ? keys  q quit")
    try window.press("Escape")
    try window.wait(for: "Enter stories  A all read")
  }
}
