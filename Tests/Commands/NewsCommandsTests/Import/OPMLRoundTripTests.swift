import FeedModel
import FeedParsing
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@Suite("An OPML file loses nothing on its way through news")
struct OPMLRoundTripTests {
  private static let files = [
    "newsboat", "netnewswire", "miniflux", "freshrss", "everything",
  ]

  private func path(_ name: String) -> String {
    BuiltProduct.fixture("opml/\(name).opml")
  }

  private func parse(_ text: String) throws -> OutlineDocument {
    try OutlineParser.read(Array(text.utf8))
  }

  private func original(_ name: String) throws -> OutlineDocument {
    try OutlineParser.read(try readFile(path(name)))
  }

  /// Returns the elements in document order.
  private func all(_ elements: [OutlineElement]) -> [OutlineElement] {
    elements.flatMap { [$0] + all($0.children) }
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
    let (new, old) = (all(after.body), all(before.body))
    #expect(new.map(\.children.count) == old.map(\.children.count))
    #expect(new.map(\.name) == old.map(\.name))
    #expect(new.map(\.text) == old.map(\.text))
    for (new, old) in zip(new, old) {
      // Empty attributes may have been filled; the others are there in the same order.
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
    // The list has the first one's head, the folders of both, and a namespace declared once.
    #expect(exported.contains("<ownerName>José Example</ownerName>"))
    #expect(!exported.contains("<title>FreshRSS</title>"))
    #expect(exported.contains("<outline text=\"Dynamic\" frss:opmlUrl=\"https://lists.example/"))
    #expect(count("https://freshrss.org/opml", in: exported) == 1)
    #expect(exported.contains("frss:filtersActionRead=\"intitle:advertisement&#10;author:&quot;A"))
    #expect(exported.contains("frss:cssFullContent=\" article &gt; p \""))
  }

  @Test("a feed of two tags stands in two folders, and comes back from them with both")
  func twoTags() throws {
    let news = try CommandRun()
    news("subscribe", "--no-check", Sample.feed, "--tag", "a", "--tag", "b/c")
    let exported = news("export").output
    #expect(count("xmlUrl=\"\(Sample.feed)\"", in: exported) == 2)
    #expect(count("text=\"a\"", in: exported) == 1 && count("text=\"c\"", in: exported) == 1)
    let other = try CommandRun()
    let list = try other.folder.write(exported, to: "list.opml")
    #expect(other("import", list).errors == "1 feed imported\n")
    #expect(try other.store.read().subscriptions.map(\.tags) == [["a", "b/c"]])
    #expect(other("export").output == exported)
  }

  @Test("what a category says are tags, which come back as categories")
  func categories() throws {
    let news = try CommandRun()
    let feed =
      "<outline text=\"F\" type=\"rss\" xmlUrl=\"\(Sample.feed)\" category=\"/a, /b/c,d,/\"/>"
    let text =
      "<opml version=\"2.0\"><body><outline text=\"d\">\(feed)</outline>\(feed)</body></opml>"
    let list = try news.folder.write(text, to: "list.opml")
    news("import", list)
    #expect(try news.store.read().subscriptions.map(\.tags) == [["d", "a", "b/c"]])
    let exported = news("export").output
    #expect(
      count("category=\"/a, /b/c,d,/\"", in: exported) == 2 && count("<outline", in: exported) == 3
    )
    news("feeds", "set", Sample.feed, "--untag", "a", "--tag", "e")
    let later = news("export").output
    #expect(count("category=\" /b/c,d\"", in: later) == 2 && count("text=\"e\"", in: later) == 1)
    let other = try CommandRun()
    other("import", try other.folder.write(later, to: "list.opml"))
    #expect(try other.store.read().subscriptions.map { Set($0.tags) } == [["d", "b/c", "e"]])
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
    try news.store.update { (library) in
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
    try news.store.update { (library) in
      var subscriptions = library.subscriptions
      subscriptions[1].move(to: "https://moved.example/once")
      subscriptions[1].move(to: "https://moved.example/news")
      return (LibraryChange(subscriptions: subscriptions), ())
    }
    let line = "<outline text=\"Scraped\" type=\"HTML+XPath\" xmlUrl=\"https://moved.example/news\""
    #expect(news("export").output.contains(line))
    #expect(!news("export").output.contains("scraped.example/news"))
  }

  @Test("a feed that stood at the top and is given a tag stands in its folder")
  func tagged() throws {
    let news = try CommandRun()
    news("import", path("netnewswire"))
    news("subscribe", "https://tsunami.example/feed/atom/", "--tag", "Programming")
    let lines = news("export").output.split(separator: "\n").filter { $0.contains("tsunami") }
    #expect(lines.count == 1 && lines[0].hasPrefix("      <outline text=\"One Foot Tsunami\""))
  }

  @Test("what another program wrote into the file of outlines cannot spoil an export")
  func foreign() throws {
    let news = try CommandRun()
    try news.store([], subscriptions: [(Sample.feed, "Example")])
    let file = PropertyListValue.dictionary([
      "attributes": strings("bad name", "1", "xmlns:a b", "2", "x:y", "3"),
      "head": .array([row(7, "<script>", text: "\u{0}&")]),
      "body": .array([
        row(1 << 40, "outline", attributes: "text", "A", "text", "B"),
        row(3, "", feed: "https://gone.example/"),
        row(-5, "a b", text: "<x>", attributes: "\"><x", "y"),
        row(1, "outline", feed: Sample.feed),
      ]),
    ])
    try news.folder.write(PropertyList.encode(file), to: "home/outlines.plist")
    let exported = news("export").output
    let result = try OutlineParser.read(Array(exported.utf8))
    #expect(!result.isCutShort && !exported.contains("script") && !exported.contains("bad name"))
    #expect(all(result.body).compactMap { $0.value("xmlurl") } == [Sample.feed])
    #expect(exported.contains("xmlns:x=\"urn:undeclared:x\""))
  }

  private func row(
    _ depth: Int64,
    _ name: String,
    feed: String? = nil,
    text: String = "",
    attributes: String...,
  ) -> PropertyListValue {
    var row: PropertyListDictionary = [
      "depth": .integer(depth), "name": .string(name), "text": .string(text),
      "attributes": .array(attributes.map { .string($0) }),
    ]
    if let feed { row.append("feed", .string(feed)) }
    return .dictionary(row)
  }

  private func strings(_ texts: String...) -> PropertyListValue {
    .array(texts.map { .string($0) })
  }

  @Test("many feeds in folders of long names, with long attributes in common, stay readable")
  func repeated() throws {
    let news = try CommandRun()
    let name = String(repeating: "long name ", count: 300)
    let feeds = (1...500).map {
      "<outline text='\(name)' p:\(String(repeating: "n", count: 300))='\(name)' "
        + "xmlUrl='https://a.example/\($0)'/>"
    }
    let folders = String(repeating: "<outline text='\(name)'>", count: 50)
    let ends = String(repeating: "</outline>", count: 50)
    let text = "<opml><body>\(folders)\(feeds.joined())\(ends)</body></opml>"
    #expect(news("import", try news.folder.write(text, to: "list.opml")).status == 0)
    #expect(try news.store.read().subscriptions.count == 500)
    #expect(try news.store.read().subscriptions.allSatisfy { $0.tags[0].utf8.count < 3300 })
    let exported = news("export").output
    #expect(try all(parse(exported).body).count == 550)
    #expect(news("import", try news.folder.write(exported, to: "again.opml")).status == 0)
    #expect(news("export").output == exported)
  }

  @Test("a damaged file of outlines is told, and left as it is")
  func damaged() throws {
    let news = try CommandRun()
    news("import", path("freshrss"))
    try news.folder.write("nonsense", to: "home/outlines.plist")
    let message = "outlines.plist cannot be read and was left as it is"
    #expect(news("export").errors.contains(message) && news("export").status == 1)
    #expect(news("import", path("miniflux")).errors.contains(message))
    #expect(try news.store.read().subscriptions.count == 3)
    #expect(try readText(news.folder.path("home/outlines.plist")) == "nonsense")
  }

  @Test("whatever a list is like, its export is a fixpoint", arguments: 1...60)
  func random(_ seed: Int) throws {
    var numbers = Chance(state: UInt64(seed))
    let text = RandomList.text(&numbers)
    let first = try CommandRun()
    let result = first("import", try first.folder.write(text, to: "list.opml"))
    #expect(result.status == 0, "\(text)")
    let exported = first("export").output
    first("import", try first.folder.write(exported, to: "again.opml"))
    #expect(difference(exported, first("export").output) == nil)
    let second = try CommandRun()
    second("import", try second.folder.write(exported, to: "list.opml"))
    #expect(difference(exported, second("export").output) == nil)
    let urls = try first.store.read().subscriptions.map(\.url)
    #expect(try Set(second.store.read().subscriptions.map(\.url)) == Set(urls))
    #expect(Set(urls).count == urls.count)
  }

  private func difference(_ one: String, _ other: String) -> String? {
    let (ones, others) = (one.split(separator: "\n"), other.split(separator: "\n"))
    guard ones != others else { return nil }
    return ones.difference(from: others).map { "\($0)" }.joined(separator: "\n")
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

/// Lists that are hard to merge: folders of one name, nested feeds, feeds in several places,
/// missing and empty names, attributes of unknown namespaces.
private enum RandomList {
  private static let names = ["News", "News/World", "a\\b", "", "<b>Bold</b>", "東京", " x  y "]

  static func text(_ numbers: inout Chance) -> String {
    let root = Bool.random(using: &numbers) ? " xmlns:p=\"urn:p\"" : ""
    let head = Bool.random(using: &numbers) ? "<head><title>T</title><p:x/></head>" : ""
    let body = outlines(depth: 0, &numbers)
    return "<opml version=\"1.0\"\(root)>\(head)<body>\(body)</body></opml>"
  }

  private static func outlines(depth: Int, _ numbers: inout Chance) -> String {
    (0..<Int.random(in: depth == 0 ? 1...6 : 0...4, using: &numbers))
      .map { _ in outline(depth: depth, &numbers) }.joined()
  }

  private static func outline(depth: Int, _ numbers: inout Chance) -> String {
    var attributes = ""
    for name in ["text", "title", "p:mark", "q:mark", "type", "description"]
    where Int.random(in: 0..<3, using: &numbers) > 0 {
      let value = XMLText.escaped(names.randomElement(using: &numbers) ?? "")
      attributes += " \(name)=\"\(value)\""
    }
    if Bool.random(using: &numbers) {
      let scheme = Bool.random(using: &numbers) ? "http" : "https"
      attributes += " xmlUrl=\"\(scheme)://\(Int.random(in: 0..<6, using: &numbers)).example/f\""
    }
    let inner = depth < 4 ? outlines(depth: depth + 1, &numbers) : ""
    return "<outline\(attributes)>\(inner)</outline>"
  }
}
