import FeedModel
import FeedParsing
import FeedStorage
import TestSupport
import Testing

@testable import NewsCommands

@Suite("An OPML file loses nothing on its way through news")
struct OPMLRoundTripTests {
  private static let files = [
    "newsboat", "netnewswire", "miniflux", "freshrss", "everything",
  ]

  private func path(_ name: String) -> String {
    BuiltProduct.fixture("opml/\(name).opml")
  }

  private func parse(_ text: String) throws -> OutlineDocument {
    try OutlineParser.read(Array(text.utf8)).document
  }

  private func original(_ name: String) throws -> OutlineDocument {
    try OutlineParser.read(try readFile(path(name))).document
  }

  private func count(_ part: String, in text: String) -> Int {
    text.split(separator: part, omittingEmptySubsequences: false).count - 1
  }

  @Test("what other readers wrote is exported with every element and attribute", arguments: files)
  func lossless(_ name: String) throws {
    let news = try CommandRun()
    let imported = news("import", path(name))
    #expect(imported.status == 0 && news.fetcher.requests.isEmpty)
    let before = try original(name)
    let after = try parse(news("export").output)
    #expect(after.head == before.head)
    #expect(Set(after.attributes).isSuperset(of: before.attributes))
    #expect(after.body.map(\.depth) == before.body.map(\.depth))
    #expect(after.body.map(\.name) == before.body.map(\.name))
    #expect(after.body.map(\.text) == before.body.map(\.text))
    for (new, old) in zip(after.body, before.body) {
      // What was empty may have been filled; what was there is there, in the same order.
      let kept = old.attributes.filter { !$0.value.isEmpty }
      #expect(new.attributes.filter(kept.contains) == kept, "\(new) of \(old)")
      #expect(Set(new.attributes.map(\.name)).isSuperset(of: old.attributes.map(\.name)))
    }
  }

  @Test("an export that is imported elsewhere is exported the same", arguments: files)
  func fixpoint(_ name: String) throws {
    let first = try CommandRun()
    first("import", path(name))
    let exported = first("export").output
    let second = try CommandRun()
    second.now += 86_400
    let list = try second.folder.write(exported, to: "list.opml")
    #expect(second("import", list).status == 0)
    #expect(second("export").output == exported)
    let (one, other) = (try first.store.read(), try second.store.read())
    #expect(other.subscriptions.map(\.url) == one.subscriptions.map(\.url))
    #expect(other.subscriptions.map(\.tags) == one.subscriptions.map(\.tags))
  }

  @Test("a second import of a list changes nothing", arguments: files)
  func twice(_ name: String) throws {
    let news = try CommandRun()
    news("import", path(name))
    let (before, outlines) = (try news.store.read(), try news.store.readOutlines())
    let result = news("import", path(name))
    #expect(result.errors.contains("0 feeds imported; ") && result.status == 0)
    #expect(try news.store.read().subscriptions == before.subscriptions)
    #expect(try news.store.readOutlines() == outlines)
  }

  @Test("folders are tags, a feed in several has them all, and titles are plain text")
  func meaning() throws {
    let news = try CommandRun()
    news("import", path("everything"))
    news("import", path("freshrss"))
    let feeds = try news.store.read().subscriptions
    #expect(feeds[0].tags == ["News", "News/World"] && feeds[0].title == "Everyday")
    #expect(feeds.map(\.title).contains("Filtered feed"))
    #expect(feeds.first { $0.title == "Scraped" }?.tags == ["Dynamic"])
    let exported = news("export").output
    // The head of the first list, the folders of both, and a namespace declared once.
    #expect(exported.contains("<ownerName>José Example</ownerName>"))
    #expect(!exported.contains("<title>FreshRSS</title>"))
    #expect(exported.contains("<outline text=\"Dynamic\" frss:opmlUrl=\"https://lists.example/"))
    #expect(count("https://freshrss.org/opml", in: exported) == 1)
    #expect(exported.contains("frss:filtersActionRead=\"intitle:advertisement&#10;author:&quot;A"))
    #expect(exported.contains("frss:cssFullContent=\" article &gt; p \""))
  }

  @Test("what happens to a subscription afterwards is in the next export")
  func later() throws {
    let news = try CommandRun()
    news("import", path("everything"))
    news("unsubscribe", "https://atom.example/feed")
    news("unsubscribe", "https://second.example/rss")
    news("subscribe", "--no-check", "https://late.example/rss", "--tag", "Reading")
    news("subscribe", "--no-check", "https://new.example/rss", "--title", "<New> & \"fine\"")
    news("subscribe", "--no-check", "https://other.example/rss", "--tag", "News/World")
    let exported = news("export").output
    #expect(!exported.contains("atom.example") && !exported.contains("second of two"))
    #expect(count("<outline text=\"News\"", in: exported) == 1)
    #expect(count("late.example", in: exported) == 2)
    #expect(count("description=\"café\"", in: exported) == 2)
    #expect(
      exported.contains(
        """
            <media:player width="3">plays</media:player>
            <outline text="Reading" title="Reading">
              <outline text="After the inner folder" type="rss" xmlUrl="https://late.example/rss" \
        description="café"/>
            </outline>
            <outline type="rss" text="&lt;New&gt; &amp; &quot;fine&quot;" \
        title="&lt;New&gt; &amp; &quot;fine&quot;" xmlUrl="https://new.example/rss"/>
          </body>
        """
      )
    )
    #expect(
      exported.contains(
        """
                <outline type="rss" text="https://other.example/rss" \
        title="https://other.example/rss" xmlUrl="https://other.example/rss"/>
              </outline>
        """
      )
    )
  }

  @Test("a new title is exported in the place of the imported one")
  func retitled() throws {
    let news = try CommandRun()
    news("import", path("everything"))
    try news.store.update { (library) throws(StorageError) in
      var subscriptions = library.subscriptions
      subscriptions[0].title = "Mine"
      return (LibraryChange(subscriptions: subscriptions), ())
    }
    let lines = news("export").output.split(separator: "\n").filter { $0.contains("everyday") }
    #expect(lines.count == 3 && lines.allSatisfy { $0.contains("text=\"Mine\"") })
    #expect(lines[0].contains("title=\"Everyday: the official title\""))
  }

  @Test("a feed that has moved keeps its place and its attributes")
  func moved() throws {
    let news = try CommandRun()
    news("import", path("freshrss"))
    try news.store.update { (library) throws(StorageError) in
      var subscriptions = library.subscriptions
      subscriptions[1].move(to: "https://moved.example/once")
      subscriptions[1].move(to: "https://moved.example/news")
      return (LibraryChange(subscriptions: subscriptions), ())
    }
    let line = "<outline text=\"Scraped\" type=\"HTML+XPath\" xmlUrl=\"https://moved.example/news\""
    #expect(news("export").output.contains(line))
    #expect(!news("export").output.contains("scraped.example/news"))
  }

  @Test("without any import, folders are the tags and the order is the user's")
  func fresh() throws {
    let news = try CommandRun()
    news("subscribe", "--no-check", "https://a.example/f")
    news("subscribe", "--no-check", "https://b.example/f", "--tag", "x/y")
    news("subscribe", "--no-check", "https://c.example/f")
    #expect(
      news("export").output == """
        <?xml version="1.0" encoding="UTF-8"?>
        <opml version="2.0">
          <head>
            <title>Subscriptions</title>
            <dateCreated>Sun, 01 Nov 2026 12:00:00 GMT</dateCreated>
          </head>
          <body>
            <outline type="rss" text="https://a.example/f" title="https://a.example/f" \
        xmlUrl="https://a.example/f"/>
            <outline text="x" title="x">
              <outline text="y" title="y">
                <outline type="rss" text="https://b.example/f" title="https://b.example/f" \
        xmlUrl="https://b.example/f"/>
              </outline>
            </outline>
            <outline type="rss" text="https://c.example/f" title="https://c.example/f" \
        xmlUrl="https://c.example/f"/>
          </body>
        </opml>

        """
    )
  }
}
