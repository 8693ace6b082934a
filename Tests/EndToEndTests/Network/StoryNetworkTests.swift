import TestSupport
import Testing

@Suite("What stories name leads into a private network only from there, or with the reader's leave")
struct StoryNetworkTests {
  private let news: News
  /// A server of this machine's own network, as a router is.
  private let inside: FaultyServer

  init() throws {
    news = try News()
    let text = String(repeating: "<p>A secret of the router, in many words.</p>", count: 40)
    inside = try FaultyServer { _ in .response(body: "<html><article>\(text)</article></html>") }
  }

  private var feed: String {
    """
    <rss version="2.0"><channel><title>T</title><item><title>a</title>
    <link>\(inside.url("/page"))</link>
    <enclosure url="\(inside.url("/a.mp3"))" type="audio/mpeg"/><podcast:transcript
    xmlns:podcast="https://podcastindex.org/namespace/1.0" url="\(inside.url("/t.vtt"))"
    type="text/vtt"/></item></channel></rss>
    """
  }

  private func follow(_ environment: [String: String?] = [:]) throws -> Set<String> {
    let saved = news.folder.path("saved")
    for words in [
      ["refresh"], ["list"], ["show", "1", "--full"], ["show", "1", "--transcript"],
      ["download", "1", "--to", saved],
      ["feeds", "set", "T", "--full", "--download", "1"], ["fetch"],
    ] {
      _ = try news.run(words, environment: environment)
    }
    return Set(inside.requests.map(\.path))
  }

  @Test("not of a feed that only a proxy was asked for")
  func proxied() throws {
    let proxy = try FaultyServer { [feed] _ in .response(body: feed) }
    let environment = ["http_proxy": proxy.url(""), "no_proxy": "127.0.0.1"]
    _ = try news.run(["subscribe", "http://feeds.example/"], environment: environment)
    #expect(try follow(environment) == [])
    #expect(try news.run("list").text.contains(inside.url("/page")))
    let words = "its host is in a private network; allow that with --allow-private"
    let full = try news.run(["show", "1", "--full"], environment: environment)
    #expect(full.errorText.contains(words), "\(full.errorText)")
    let again = ["subscribe", "--allow-private", "http://feeds.example/"]
    #expect(try news.run(again, environment: environment).status == 0)
    #expect(try follow(environment) == ["/page", "/a.mp3", "/t.vtt"])
  }

  @Test("not of a feed in a file, unless it was allowed to")
  func files() throws {
    let file = try news.folder.write(feed, to: "feed.xml")
    _ = try news.run("subscribe", file)
    #expect(try follow() == [])
    _ = try news.run("subscribe", "--allow-private", file)
    #expect(try follow() == ["/page", "/a.mp3", "/t.vtt"])
  }

  @Test("of a feed in the private network it does")
  func neighbours() throws {
    let server = try FaultyServer { [feed] _ in .response(body: feed) }
    _ = try news.run("subscribe", "--no-check", server.url("/"))
    #expect(try follow() == ["/page", "/a.mp3", "/t.vtt"])
  }

  @Test("nor does a page in a file announce a feed there")
  func announced() throws {
    let link =
      "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\(inside.url("/feed"))\">"
    let page = try news.folder.write("<html><head>\(link)</head></html>", to: "page.html")
    #expect(try news.run("subscribe", page).status == 1)
    #expect(inside.requests.isEmpty)
    _ = try news.run("subscribe", "--allow-private", page)
    #expect(inside.requests.map(\.path) == ["/feed"])
  }
}
