import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("Links that are shown have no trackers, and the data file has what was published")
struct TrackerTests {
  private static let published = "https://e.com/1?utm_source=rss&b=2&fbclid=x"
  private static let clean = "https://e.com/1?b=2"
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    news.fetcher.serve(Sample.feed, .init(body: Self.feed("One")))
    news("subscribe", Sample.feed)
  }

  private static func feed(_ title: String) -> String {
    let link = published.replacing("&", with: "&amp;")
    return """
      <rss version="2.0"><channel><title>Feed</title><link>https://e.com/?utm_source=rss</link>
      <item><title>\(title)</title>
      <link>\(link)</link><guid isPermaLink="true">\(link)</guid>
      <comments>https://e.com/talk?gclid=1</comments>
      <enclosure url="https://e.com/a.mp3?utm_source=x" type="audio/mpeg" length="9"/>
      <description>&lt;p&gt;See &lt;a href="https://f.com/?mc_eid=1&amp;amp;c=3"&gt;it&lt;/a&gt;
      or https://g.com/?utm_medium=x \(String(repeating: "and so on ", count: 130))&lt;/p&gt;
      &lt;pre&gt;curl https://h.com/?utm_term=1&lt;/pre&gt;
      </description></item></channel></rss>
      """
  }

  private func stored() throws -> String { try news.store.read().items.item(at: 0).item.link }

  @Test("in lists, stories, templates, JSON and tables; files keep their URLs")
  func printed() throws {
    #expect(news("list").output.hasSuffix("\t\(Self.clean)\n"))
    let json = news("list", "--json").output
    #expect(json.contains("\"link\":\"\(Self.clean)\""))
    #expect(json.contains("\"comments\":\"https://e.com/talk\""))
    #expect(json.contains("\"url\":\"https://e.com/a.mp3?utm_source=x\""))
    #expect(
      news("list", "--format", "{link} {comments}").output == "\(Self.clean) https://e.com/talk\n"
    )
    #expect(news("open", "1").output == Self.clean + "\n")
    #expect(news("open", "1", "--json").output.contains("\"link\":\"\(Self.clean)\""))
    #expect(news("show", "1", "--link", "1").output == Self.clean + "\n")
    let shown = news("show", "1").output
    #expect(shown.contains("] https://f.com/?c=3\n") && !shown.contains("mc_eid"))
    #expect(!shown.contains("Guid") && !shown.contains("utm_medium"))
    #expect(shown.contains("    curl https://h.com/?utm_term=1\n"))
    #expect(!json.contains("utm_medium"))
    #expect(news("feeds", "--json").output.contains("\"link\":\"https://e.com/\""))
    #expect(news("show", "1", "--json").output.contains("\"https://f.com/?c=3\""))
    #expect(news("list", "--csv").output.contains("\"\(Self.clean)\""))
  }

  @Test("in what is published, and in what --on-new gets")
  func given() throws {
    news("publish", "site")
    for name in ["atom.xml", "rss.xml", "feed.json", "index.html"] {
      let text = try readText("\(news.folder.path("site"))/\(name)")
      #expect(text.contains("https://e.com/1?b=2") && !text.contains("fbclid"), "\(name)")
      #expect(!text.contains("mc_eid") && !text.contains("utm_medium"), "\(name)")
    }
    let outlines = try readText("\(news.folder.path("site"))/feeds.opml")
    #expect(outlines.contains("htmlUrl=\"https://e.com/\""))
    news("clear", "--yes")
    let file = news.folder.path("told")
    news("fetch", "--on-new", "cat >'\(file)'")
    #expect(try readText(file).contains("\"link\":\"\(Self.clean)\""))
  }

  @Test("the data file, export --json and the texts as published have them; stories stay the same")
  func kept() throws {
    #expect(try stored() == Self.published)
    #expect(news("export", "--json").output.contains(Self.published))
    #expect(news("show", "1", "--raw").output.contains("mc_eid=1"))
    let id = try news.store.read().items.id(at: 0)
    news.fetcher.serve(Sample.feed, .init(body: Self.feed("Changed")))
    news("refresh")
    let library = try news.store.read()
    #expect(library.items.count == 1)
    #expect(try library.items.id(at: 0) == id)
    #expect(try stored() == Self.published)
  }

  @Test("titles of addresses have none in lists and headlines; what is printed is found")
  func found() throws {
    let published = Sample.rss("Feed", ["See https://g.com/?utm_medium=x"])
    news.fetcher.serve(Sample.feed, .init(body: published))
    #expect(!news("refresh").output.contains("utm_medium"))
    #expect(news("list", "-n", "1", "--format", "{title}").output == "See https://g.com/\n")
    #expect(news("list", "-n", "1").output.hasPrefix("1\tSee https://g.com/\t"))
    for link in [Self.clean, Self.published] {
      #expect(news("list", "--grep", "link:\"\(link)\"", "--format", "{title}").output == "One\n")
    }
  }

  @Test("a story without a page leads to its file, which keeps its own")
  func file() throws {
    let item =
      "<title>Episode</title><enclosure url=\"https://e.com/2?utm_id=1\" type=\"audio/mpeg\"/>"
    let body = "<rss version=\"2.0\"><channel><item>\(item)</item></channel></rss>"
    news.fetcher.serve(Sample.other, .init(body: body))
    news("subscribe", Sample.other)
    let lines = news("list", "--feed", Sample.other).output
    #expect(lines.hasSuffix("\thttps://e.com/2?utm_id=1\n"))
    #expect(news("open", "1").output == "https://e.com/2?utm_id=1\n")
    #expect(!news("show", "1").output.contains("[2]"))
  }

  @Test("pages are asked for without them")
  func pages() throws {
    news("show", "1", "--full")
    #expect(news.fetcher.requests.last?.url == Self.clean)
    news("feeds", "set", "Feed", "--keep-tracking")
    news("show", "1", "--full", "--force")
    #expect(news.fetcher.requests.last?.url == Self.published)
  }

  @Test("a feed can keep them; undo takes that back")
  func setting() throws {
    #expect(
      news("feeds", "set", "Feed", "--keep-tracking").errors
        == "Feed: its links keep their trackers\n"
    )
    #expect(news("list", "--format", "{link}").output == Self.published + "\n")
    #expect(news("show", "1", "--keep-unread").output.contains("https://f.com/?mc_eid=1&c=3"))
    #expect(news("feeds", "--json").output.contains("\"keepTracking\":true"))
    #expect(news("feeds", "--json").output.contains("\"link\":\"https://e.com/?utm_source=rss\""))
    news("undo")
    #expect(news("list", "--format", "{link}").output == Self.clean + "\n")
    news("redo")
    #expect(
      news("feeds", "set", "Feed", "--no-keep-tracking").errors
        == "Feed: its links lose their trackers\n"
    )
    #expect(news("list", "--format", "{link}").output == Self.clean + "\n")
  }

  @Test("addresses in the text of a story that has a summary alone are links, too")
  func summary() throws {
    let body = Sample.rss("Feed", ["x"]).replacing(
      "</item>",
      with: "<description>See https://g.com/?utm_medium=x, or not.</description></item>",
    )
    news.fetcher.serve(Sample.other, .init(body: body))
    news("subscribe", Sample.other, "--no-texts")
    news("list", "--feed", Sample.other)
    let shown = news("show", "1").output
    #expect(shown.contains("g.com/") && !shown.contains("utm_medium"))
  }
}
