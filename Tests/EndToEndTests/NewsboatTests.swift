import TestSupport
import Testing

@Suite("What newsboat has is taken over")
struct NewsboatTests {
  /// A feed of a story with a guid, one with a link and a date, and one with a link alone.
  private static let feed = """
    <rss version="2.0"><channel><title>Example</title><link>https://example.com/</link>
    <item><title>one &amp;amp; all</title><guid isPermaLink="false">g1</guid>
    <link>https://example.com/1</link><pubDate>Thu, 01 Oct 2026 10:00:00 GMT</pubDate>
    <description>&lt;p&gt;Text&lt;/p&gt;</description></item>
    <item><title>two</title><link>https://example.com/2</link>
    <pubDate>Fri, 02 Oct 2026 10:00:00 GMT</pubDate></item>
    <item><title>three</title><link>https://example.com/3</link></item>
    </channel></rss>
    """

  @Test("the cache that it made of a feed, in which the next fetch finds nothing new")
  func cache() throws {
    let server = try FaultyServer { _ in .response(body: Self.feed) }
    let news = try News()
    let urls = try news.folder.write(server.url("/feed") + "\n", to: "urls")
    let cache = news.folder.path("cache.db")
    let reload = try Subprocess.run(
      ["newsboat", "-u", urls, "-c", cache, "-C", "/dev/null", "-x", "reload"],
      environment: ["HOME": news.folder.path],
    )
    #expect(reload.status == 0, "\(reload.errorText)")
    let mark = "UPDATE rss_item SET unread = 0 WHERE title = 'two'"
    #expect(try Subprocess.run(["sqlite3", cache, mark]).status == 0)
    let said = try news.run("import", "--allow-private", cache)
    #expect(said.errorText == "3 stories (1 read) of 1 feed imported; following 1 more feed\n")
    let fetched = try news.run("fetch")
    #expect(fetched.text.contains(": 0 new in "), "\(fetched.text)")
    let listed = try news.run("list", "--format", "{title} {read}").text.split(separator: "\n")
    #expect(listed.sorted() == ["one & all false", "three false", "two true"])
    #expect(try news.run("import", "--allow-private", cache).errorText.hasPrefix("0 stories"))
  }
}
