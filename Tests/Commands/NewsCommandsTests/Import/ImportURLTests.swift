import FeedFetching
import FeedModel
import FeedStorage
import Testing

@Suite("news import of what is on the web, and of lists that do not keep to OPML")
struct ImportURLTests {
  private static let list = "https://lists.example/feeds.opml"

  private func opml(_ outlines: String) -> String {
    "<opml version=\"2.0\"><body>\(outlines)</body></opml>"
  }

  private func urls(_ news: CommandRun) throws -> [String] {
    try news.store.read().subscriptions.map(\.url)
  }

  @Test(
    "a list is asked for as a feed is, and its feeds are not",
    arguments: [list, "<\(list)> "],
  )
  func web(_ word: String) throws {
    let news = try CommandRun()
    let outline = "<outline text=\"A\" xmlUrl=\"https://a.example/feed\"/>"
    news.fetcher.serve(Self.list, .init(body: opml(outline)))
    let result = news("import", word)
    #expect(result.errors == "1 feed imported\n" && result.status == 0)
    #expect(try urls(news) == ["https://a.example/feed"])
    #expect(news.fetcher.requests.map(\.url) == [Self.list])
    #expect(news.fetcher.requests.first?.maximumBytes == 32 << 20)
    #expect(news("undo").status == 0)
    #expect(try urls(news).isEmpty)
  }

  @Test("a list on the web may not lead into private networks, and its own server may be in one")
  func privateNetworks() throws {
    let news = try CommandRun()
    let url = "http://me:secret@127.0.0.1:8080/feeds.opml"
    let outlines =
      "<outline xmlUrl=\"http://localhost/x\"/><outline xmlUrl=\"https://b.example/\"/>"
    news.fetcher.serve(url, .init(body: opml(outlines)))
    #expect(news("import", url).errors.hasPrefix("news: http://localhost/x: in a private network"))
    #expect(try urls(news) == ["https://b.example/"])
    #expect(news("import", "--allow-private", url).errors.hasPrefix("1 feed imported; 1 was"))
  }

  @Test("a server that fails, and a page in place of the list, are named without the password")
  func failures() throws {
    let news = try CommandRun()
    let url = "https://me:secret@lists.example/x"
    let missing = news("import", url)
    #expect(missing.errors.hasPrefix("news: https://***@lists.example/x: server answered 404"))
    #expect(missing.status == 1)
    news.fetcher.serve(url, .init(body: "<html><body>Hello</body></html>"))
    #expect(
      news("import", url).errors == "news: https://***@lists.example/x: not OPML: a web page\n"
    )
  }

  @Test("subscribing to a list says how to import it")
  func subscribe() throws {
    let news = try CommandRun()
    news.fetcher.serve(Self.list, .init(body: opml("<outline xmlUrl=\"https://a.example/\"/>")))
    let result = news("subscribe", Self.list)
    #expect(
      result.errors == "news: \(Self.list): a list of feeds (OPML), not a feed; to follow it: "
        + "news subscribe --list \(Self.list)\n"
    )
    #expect(result.status == 1)
  }

  static let outlines = [
    ("<outline feedURL=\"https://a.example/x\"/>", "https://a.example/x"),
    ("<outline URL=\"https://a.example/feed.xml\" type=\"link\"/>", "https://a.example/feed.xml"),
    ("<outline url=\"https://a.example/x\" type=\"rss\"/>", "https://a.example/x"),
    ("<outline Url=\"feed://a.example/x\"/>", "https://a.example/x"),
    ("<outline text=\"https://a.example/atom.xml\"/>", "https://a.example/atom.xml"),
    (
      "<OUTLINE XMLURL=\"https://a.example/x\" url=\"https://b.example/\"/>", "https://a.example/x",
    ),
  ]

  @Test("feeds come, wherever a list has their address", arguments: outlines)
  func addresses(_ outline: String, _ url: String) throws {
    let news = try CommandRun()
    news.input = [opml(outline)]
    #expect(news("import", "-").errors == "1 feed imported\n")
    #expect(try urls(news) == [url])
    // The list has a URL by which every reader finds the feed.
    #expect(news("export").output.contains("xmlUrl=\"\(url)\""))
  }

  static let links = [
    (
      "<outline text=\"A\" URL=\"https://a.example/podcast\" type=\"link\"/>",
      "not said to be a feed",
    ),
    ("<outline text=\"A\" htmlUrl=\"https://a.example/\"/>", "not said to be a feed"),
    ("<outline text=\"https://a.example/\"/>", "not said to be a feed"),
    ("<outline text=\"A\" type=\"include\" url=\"https://a.example/l\"/>", "another list"),
    ("<outline text=\"A\" type=\"link\" url=\"https://a.example/l.opml\"/>", "another list"),
  ]

  @Test("what may as well be a page is told, and stays in the list", arguments: links)
  func pages(_ outline: String, _ reason: String) throws {
    let news = try CommandRun()
    news.input = [opml(outline + "<outline text=\"B\" xmlUrl=\"https://b.example/\"/>")]
    let result = news("import", "-")
    #expect(result.errors.hasPrefix("news: https://a.example/"))
    #expect(result.errors.contains(": \(reason) (`news "))
    #expect(result.errors.hasSuffix("; left out\n1 feed imported\n"))
    #expect(news("export").output.contains("https://a.example/"))
  }

  @Test("a folder with a page of its own is a folder")
  func folder() throws {
    let news = try CommandRun()
    let inner = "<outline text=\"B\" xmlUrl=\"https://b.example/\"/>"
    news.input = [opml("<outline text=\"F\" htmlUrl=\"https://f.example/\">\(inner)</outline>")]
    #expect(news("import", "-").errors == "1 feed imported\n")
    #expect(try news.store.read().subscriptions.map(\.tags) == [["F"]])
  }

  @Test("newsboat's tags that begin with ! hide the feed")
  func newsboat() throws {
    let news = try CommandRun()
    news.input = [
      "https://a.example/ \"!\"\nhttps://b.example/ \"!dull\" work\nhttps://c.example/ a!"
    ]
    #expect(news("import", "-").errors == "3 feeds imported\n")
    let feeds = try news.store.read().subscriptions
    #expect(feeds.map(\.settings.isHidden) == [true, true, false])
    #expect(feeds.map(\.tags) == [[], ["dull", "work"], ["a!"]])
  }
}
