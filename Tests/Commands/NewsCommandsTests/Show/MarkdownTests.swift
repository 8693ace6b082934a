import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("Stories as Markdown")
struct MarkdownTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    let feed = """
      <rss version="2.0"><channel><title>Dev "Log"</title><item><title>A *star*: [1]</title>
      <link>https://example.com/a?utm_source=x</link><pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate>
      <author>Ines</author><description>&lt;h1&gt;One&lt;/h1&gt;&lt;p&gt;two &lt;b&gt;three&lt;/b&gt;
      &lt;/p&gt;</description></item></channel></rss>
      """
    news("subscribe", try news.folder.write(feed, to: "log.xml"))
    news("list")
    news("tag", "later, soon", "1")
    news("star", "1")
  }

  private func page(_ news: CommandRun) throws -> String {
    let id = try news.store.read().items.item(at: 0).id
    return """
      ---
      title: "A *star*: [1]"
      link: "https://example.com/a"
      author: "Ines"
      date: "2026-11-01T10:00:00Z"
      feed: "Dev \\"Log\\""
      tags: ["later","soon"]
      starred: true
      id: "\(id)"
      ---

      # A \\*star\\*: \\[1\\]

      ## One

      two **three**

      """
  }

  @Test("show prints facts, title and text, and marks the story read")
  func show() throws {
    #expect(news("show", "1", "--markdown").output == (try page(news)))
    #expect(try news.store.read().items.item(at: 0).isRead)
    #expect(news("show", "1", "--markdown", "--raw").status == 64)
  }

  @Test("export writes a file for each story once, and leaves what is there as it is")
  func export() throws {
    let folder = news.folder.path("notes/new")
    let first = news("export", "--markdown", folder, "--starred")
    #expect(first.errors == "1 story written to \(folder)\n" && first.status == 0)
    let name = try #require(try namesInFolder(folder).first { $0.hasSuffix(".md") })
    #expect(name.hasPrefix("2026-11-01 A star [1] "))
    #expect(try readText("\(folder)/\(name)") == (try page(news)))
    try writeFile("\(folder)/\(name)", "mine".utf8)
    let again = news("export", "--markdown", folder)
    #expect(again.errors == "0 stories written to \(folder), 1 already there\n")
    #expect(try readText("\(folder)/\(name)") == "mine")
    #expect(news("export", "--markdown", folder, "--json").status == 64)
    #expect(news("export", "--markdown", "").status == 64)
  }
}
