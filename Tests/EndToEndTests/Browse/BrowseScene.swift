import TestSupport

/// The table view in a window of a real terminal, with a feed of forty stories.
struct BrowseScene {
  let news: News

  init() throws {
    news = try News()
    let feed = try news.folder.write(Self.rss(1...40), to: "feed.xml")
    _ = try news.run("subscribe", feed)
  }

  static func rss(_ numbers: ClosedRange<Int>) -> String {
    let items = numbers.map { number in
      let text = (1...20).map { "<p>Paragraph \($0) of story \(number).</p>" }.joined()
      let hours = number + 10
      let date = "\(30 - hours / 24) Jun 2026 \(23 - hours % 24):00:00 GMT"
      return "<item><title>Story \(number)</title><link>https://a.example/\(number)</link>"
        + "<pubDate>\(date)</pubDate><description><![CDATA[\(text)]]></description></item>"
    }
    return "<rss version=\"2.0\"><channel><title>Daily</title>\(items.joined())</channel></rss>"
  }

  func window(
    _ words: String = "browse",
    columns: Int = 80,
    rows: Int = 24,
    environment: [String: String?] = [:],
  ) throws -> TerminalWindow {
    let window = try TerminalWindow(
      columns: columns,
      rows: rows,
      in: news.folder.path,
      environment: news.settings.merging(environment) { $1 },
    )
    // TERM is set for tmux, whose name differs from the one in `settings`.
    try window.run("TERM=tmux-256color \(news.program) \(words); echo status=$?")
    return window
  }

  func list(_ options: String...) throws -> [String] {
    try news.run(["list", "--format", "{title}"] + options).text.split(separator: "\n").map(
      String.init
    )
  }
}
