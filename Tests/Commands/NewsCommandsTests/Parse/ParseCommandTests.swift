import CommandLine
import TestSupport
import Testing

@Suite("news parse")
struct ParseCommandTests {
  @Test("the summary has the format, the title, the stories, and what was repaired")
  func summary() throws {
    let news = try CommandRun()
    let text = """
      <rss version="2.0"><channel><title>Example</title><item><title>One</title>
      <link>https://example.com/1</link><guid>x</guid><pubDate>Tue, 10 Jun 2003 04:00:00 GMT</pubDate>
      </item><item><guid>x</guid><pubDate>some day</pubDate></item></channel>
      """
    try news.folder.write(text, to: "feed.xml")
    let result = news("parse", "feed.xml")
    #expect(
      result.output == """
        Format    rss2.0
        Title     Example
        Stories   2

        1  2003-06-10T04:00:00Z  One
        2  -                     (untitled)

        note: the document breaks off
        note: the document ends before its end tag

        """
    )
    #expect(result.status == 0 && result.errors.isEmpty)
  }

  @Test("no line is wider than the terminal", arguments: [30, 49, 50, 80])
  func widths(columns: Int) throws {
    let news = try CommandRun()
    let titles = (1...12).map {
      "A title of story \($0) that is longer than most terminals are wide"
    }
    try news.folder.write(
      Sample.rss("Example of a feed that has a long name", titles),
      to: "a.xml",
    )
    news.useTerminal(columns, variables: ["NO_COLOR": "1"])
    let lines = news("parse", "a.xml").output.split(separator: "\n").prefix { $0 != "" }
    #expect(lines.count > 12)
    #expect(lines.allSatisfy { $0.hasPrefix("note: ") || $0.count <= columns })
    #expect(lines.contains { $0.hasPrefix("12  -  ") } == (columns >= 50))
  }

  @Test("colors and links change nothing else in the stories")
  func styled() throws {
    let news = try CommandRun()
    let dates = [" ", "<pubDate>2003-06-10</pubDate>", "<pubDate>never</pubDate>"]
    let items = (1...12).map {
      "<item><title>Story é \($0)</title><link>https://a.example/\($0)</link>\(dates[$0 % 3])</item>"
    }
    try news.folder.write("<rss><channel>\(items.joined())</channel></rss>", to: "a.xml")
    let plain = news("parse", "a.xml").output
    #expect(
      plain.contains("\n 1  2003-06-10T00:00:00Z  Story é 1\n 2  -                     Story")
    )
    let colored = news("parse", "a.xml", "--color", "always").output
    #expect(colored.contains("\u{1b}[") && TerminalText.unstyled(colored) == plain)
  }

  @Test("JSON has the documented keys in their order")
  func json() throws {
    let news = try CommandRun()
    news.fetcher.serve(
      "https://example.com/feed",
      .init(
        body: """
          <rss version="2.0"><channel><title>T</title><item><title>One</title><link>/1</link>
          <category>c</category><enclosure url="https://example.com/a.mp3" type="audio/mpeg" length="5"/>
          </item></channel></rss>
          """
      ),
    )
    #expect(
      news("parse", "--json", "https://example.com/feed").output == """
        {"format":"rss2.0","title":"T","link":null,"description":null,"language":null,"date":null,\
        "items":[{"title":"One","link":"https://example.com/1","pubDate":null,"date":null,\
        "guid":null,"author":null,"summary":null,"categories":["c"],"enclosures":[{\
        "url":"https://example.com/a.mp3","type":"audio/mpeg","length":"5"}],"related":[],\
        "season":null,"episode":null,"comments":null,"chapters":[],"people":[]}]}

        """
    )
  }

  @Test("a web page is no feed, and what it announces is listed")
  func webPage() throws {
    let news = try CommandRun()
    try news.folder.write(
      "<html><head><link rel=alternate type='application/rss+xml' href='https://example.com/f'>"
        + "</head><body>x</body></html>",
      to: "page.html",
    )
    #expect(
      news("parse", "page.html")
        == CommandResult(
          output: "",
          errors: "news: page.html: a web page, not a feed; it announces 1 feed:\n"
            + "  https://example.com/f\n",
          status: 65,
        )
    )
  }

  @Test("what is no feed has the status 65, what cannot be read 1")
  func failures() throws {
    let news = try CommandRun()
    try news.folder.write("<note><to>you</to></note>", to: "note.xml")
    #expect(news("parse", "note.xml").status == 65)
    #expect(news("parse", "missing.xml").status == 1)
    #expect(news("parse").status == 64)
    #expect(news("parse", "a", "b").status == 64)
  }

  @Test(
    "--date prints an instant, or -",
    arguments: [
      ("Tue, 10 Jun 2003 04:00:00 GMT", "2003-06-10T04:00:00Z\n"), ("some day", "-\n"),
      ("", "-\n"),
    ],
  )
  func date(_ text: String, _ expected: String) throws {
    #expect(
      try CommandRun()("parse", "--date", text)
        == CommandResult(output: expected, errors: "", status: 0)
    )
  }
}
