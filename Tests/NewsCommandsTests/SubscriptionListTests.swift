import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("news import and export")
struct SubscriptionListTests {
  private static let opml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0" xmlns:frss="https://freshrss.org/opml"><head><title>Mine</title></head><body>
    <outline text="Tech"><outline text="Swift &amp; more">
    <outline type="rss" text="Blog" title="The Blog" xmlUrl="https://a.example/feed?x=1&amp;y=2"
      htmlUrl="https://a.example/" frss:priority="main" version="RSS2" description="&lt;b&gt; &quot;q&quot;"/>
    </outline></outline>
    <outline text="Top" XMLURL="http://b.example/rss"/>
    <outline text="A/B"><outline text="Top again" xmlUrl="https://b.example/rss"/></outline>
    <outline text="Bad" xmlUrl="javascript:alert(1)"/>
    </body></opml>
    """

  @Test("OPML's folders are tags, unknown attributes are kept, doubles merged, the rest told")
  func opml() throws {
    let news = try CommandRun()
    try news.folder.write(Self.opml, to: "list.opml")
    let result = news("import", news.folder.path("list.opml"))
    #expect(
      result.errors == """
        news: javascript:alert(1): not an http or https URL; left out
        2 feeds imported

        """
    )
    #expect(result.status == 0 && news.fetcher.requests.isEmpty)
    let feeds = try news.store.read().subscriptions
    #expect(feeds.map(\.url) == ["https://a.example/feed?x=1&y=2", "http://b.example/rss"])
    #expect(feeds.map(\.title) == ["Blog", "Top"])
    #expect(feeds.map(\.tags) == [["Tech/Swift & more"], ["A\\/B"]])
    let exported = news("export").output
    #expect(exported.contains("description=\"&lt;b&gt; &quot;q&quot;\""))
    #expect(exported.contains("frss:priority=\"main\""))
    #expect(feeds[0].state.link == "https://a.example/")
  }

  @Test("what was exported comes back the same")
  func roundTrip() throws {
    let news = try CommandRun()
    try news.folder.write(Self.opml, to: "list.opml")
    news("import", news.folder.path("list.opml"))
    let exported = news("export").output
    let other = try CommandRun()
    other.input = exported.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(other("import", "-").status == 0)
    #expect(try other.store.read().subscriptions == news.store.read().subscriptions)
    #expect(other("export").output == exported)
    #expect(exported.contains("<title>Mine</title>"))
    #expect(exported.contains("<outline text=\"A/B\">"))
  }

  @Test("a second import adds nothing")
  func twice() throws {
    let news = try CommandRun()
    try news.folder.write(Self.opml, to: "list.opml")
    news("import", news.folder.path("list.opml"))
    let before = try news.store.read().subscriptions
    #expect(
      news("import", news.folder.path("list.opml")).errors
        .hasSuffix("0 feeds imported; 2 were there already\n")
    )
    #expect(try news.store.read().subscriptions == before)
  }

  @Test("newsboat's urls file gives tags and titles")
  func newsboat() throws {
    let news = try CommandRun()
    let text = """
      # my feeds
      https://a.example/feed.xml tech "two words" "~A Title"

      http://b.example/rss !  # comment
      "query:Unread:unread = \\"yes\\""
      """
    try news.folder.write(text, to: "urls")
    let result = news("import", news.folder.path("urls"))
    #expect(result.errors.hasSuffix("2 feeds imported\n"))
    let feeds = try news.store.read().subscriptions
    #expect(feeds.map(\.title) == ["A Title", nil])
    #expect(feeds.map(\.tags) == [["tech", "two words"], []])
  }

  @Test(
    "a file that is no list is an error that says what it is",
    arguments: [
      ("<rss version=\"2.0\"><channel/></rss>", "not OPML: the root element is rss"),
      ("Dear reader,\nhello", "neither OPML nor a list of URLs"), ("<", "not OPML"),
    ],
  )
  func wrongFile(_ text: String, _ reason: String) throws {
    let news = try CommandRun()
    let path = try news.folder.write(text, to: "file")
    let result = news("import", path)
    #expect(result.errors.hasPrefix("news: \(path): \(reason)") && result.status == 1)
  }

  @Test("a missing file and a directory are told")
  func unreadable() throws {
    let news = try CommandRun()
    #expect(news("import", "/nowhere/x").errors == "news: /nowhere/x: no such file or directory\n")
    let path = news.folder.path
    #expect(news("import", path).errors == "news: \(path): is a directory\n")
  }

  @Test("an export with a password in a URL says so")
  func password() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [("https://me:secret@example.com/feed", "Mine")])
    let result = news("export")
    #expect(result.output.contains("xmlUrl=\"https://me:secret@example.com/feed\""))
    #expect(result.errors.hasPrefix("news: the URLs of some feeds have passwords"))
    #expect(!news("feeds", "--json").output.contains("secret"))
  }
}
