import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands
@testable import System

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
      <rss version="2.0"><channel><title>Feed</title><item><title>\(title)</title>
      <link>\(link)</link><guid isPermaLink="true">\(link)</guid>
      <comments>https://e.com/talk?gclid=1</comments>
      <enclosure url="https://e.com/a.mp3?utm_source=x" type="audio/mpeg" length="9"/>
      <description>&lt;p&gt;See &lt;a href="https://f.com/?mc_eid=1&amp;amp;c=3"&gt;it&lt;/a&gt;
      or https://g.com/?utm_medium=x \(String(repeating: "and so on ", count: 130))&lt;/p&gt;
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
    #expect(!shown.contains("Guid"))
    #expect(news("show", "1", "--json").output.contains("\"https://f.com/?c=3\""))
    #expect(news("export", "--csv").output.contains("\"\(Self.clean)\""))
  }

  @Test("in what is published, and in what --on-new gets")
  func given() throws {
    news("publish", "site")
    for name in ["atom.xml", "rss.xml", "feed.json", "index.html"] {
      let text = try readText("\(news.folder.path("site"))/\(name)")
      #expect(text.contains("https://e.com/1?b=2") && !text.contains("fbclid"), "\(name)")
      #expect(!text.contains("mc_eid"), "\(name)")
    }
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

  @Test("a feed can keep them; undo takes that back")
  func setting() throws {
    #expect(
      news("feeds", "set", "Feed", "--keep-tracking").errors
        == "Feed: its links keep their trackers\n"
    )
    #expect(news("list", "--format", "{link}").output == Self.published + "\n")
    #expect(news("show", "1", "--keep-unread").output.contains("https://f.com/?mc_eid=1&c=3"))
    #expect(news("feeds", "--json").output.contains("\"keepTracking\":true"))
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
