import Testing

@testable import CommandLine

@Suite("news list --csv")
struct ListCSVTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    let items = """
      <item><title>=1+2, "quoted"</title><link>https://e.com/1?utm_source=x</link>
      <pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate><author>Ida</author></item>
      <item><title>Line\u{A}break</title><link>https://e.com/2</link></item>
      """
    let body = "<rss version=\"2.0\"><channel><title>Feed</title>\(items)</channel></rss>"
    news.fetcher.serve(Sample.feed, .init(body: body))
    news("subscribe", Sample.feed)
  }

  @Test("prints a table by RFC 4180 with a line of names, that no spreadsheet takes for formulas")
  func table() throws {
    let result = news("list", "--csv")
    let lines = result.output.split(separator: Character("\r\n"), omittingEmptySubsequences: false)
    let names = [
      "n", "id", "date", "title", "link", "author", "summary", "feeds", "read", "starred", "tags",
      "categories", "enclosures", "guid", "pubDate", "stored",
    ]
    #expect(lines[0].split(separator: ",") == names.map { "\"\($0)\"" })
    #expect(lines.count == 4 && lines.last == "")
    let titled = try #require(lines.first { $0.contains("1+2") })
    #expect(titled.contains(",\"'=1+2, \"\"quoted\"\"\",\"https://e.com/1\",\"Ida\","))
    #expect(titled.contains("\"2026-11-01T10:00:00Z\""))
    #expect(lines.contains { $0.contains("\"Line break\"") })
  }

  @Test("has the stories, the order and the numbers of the list, also on a terminal")
  func stories() throws {
    news.terminal.isOutputTerminal = true
    let output = news("list", "--csv", "--grep", "line").output
    #expect(output.contains("\r\n\"1\",") && !output.contains("1+2"))
    news.terminal.isOutputTerminal = false
    #expect(news("open", "1").output == "https://e.com/2\n")
    #expect(
      news("list", "--csv", "-n", "1", "--reverse").output.split(
        separator: Character("\r\n"),
        omittingEmptySubsequences: false,
      ).count == 3
    )
  }

  @Test(
    "is no JSON, no template and no explanation",
    arguments: ["json", "format=x", "follow", "explain"],
  )
  func others(option: String) {
    let result = news("list", "--csv", "--\(option)")
    #expect(result.status == 64)
    #expect(result.errors.contains("cannot be used together"))
  }
}
