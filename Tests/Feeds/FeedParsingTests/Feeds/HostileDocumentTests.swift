import FeedModel
import Testing

@testable import FeedParsing
@testable import System

@Suite("Hostile documents")
struct HostileDocumentTests {
  private static func rss(_ content: String, before: String = "") -> String {
    "\(before)<rss version=\"2.0\"><channel><title>H</title>\(content)</channel></rss>"
  }

  private func error(_ document: String) -> FeedParsingError? {
    do throws(FeedParsingError) {
      _ = try FeedParser.feed(document)
      return nil
    } catch {
      return error
    }
  }

  @Test("entities that stand for entities do not grow")
  func billionLaughs() throws {
    let levels = (1...9).map { level in
      let references = String(repeating: "&l\(level - 1);", count: 10)
      return "<!ENTITY l\(level) \"\(references)\">"
    }
    let type = "<!DOCTYPE rss [<!ENTITY l0 \"ha\">\(levels.joined())]>"
    let document = Self.rss("<item><title>&l9;</title></item>", before: type)
    let title = String(repeating: "&l8;", count: 10)
    #expect(try FeedParser.feed(document).items.map(\.title) == [title])
  }

  @Test("an entity's text many times over does not fill the memory")
  func quadraticBlowUp() throws {
    let type = "<!DOCTYPE rss [<!ENTITY a \"\(String(repeating: "a", count: 100_000))\">]>"
    let references = String(repeating: "&a;", count: 100_000)
    let document = Self.rss("<item><title>\(references)</title></item>", before: type)
    switch Result(catching: { () throws(FeedParsingError) in try FeedParser.feed(document) }) {
    case .failure: break
    case .success(let feed): #expect(feed.items.allSatisfy { $0.title.utf8.count <= 4096 })
    }
  }

  @Test("attribute lists and elements that are declared do nothing")
  func otherDeclarations() throws {
    let lists = String(repeating: "<!ATTLIST item a CDATA \"x\">", count: 2_000)
    let elements = "<!ELEMENT rss ANY>"
    for declaration in [lists, elements] {
      let item = "<item><title>a</title></item>"
      let feed = try FeedParser.feed(Self.rss(item, before: "<!DOCTYPE rss [\(declaration)]>"))
      #expect(feed.items.map(\.title) == ["a"] && feed.isComplete)
    }
  }

  @Test("no file is opened for an external entity or document type")
  func externalEntities() throws {
    let entity = "<!DOCTYPE rss [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
    let feed = try FeedParser.feed(Self.rss("<item><title>&x;</title></item>", before: entity))
    #expect(feed.items.map(\.title) == ["&x;"])
    let type = "<!DOCTYPE rss SYSTEM \"file:///etc/passwd\">"
    #expect(error(Self.rss("<item><title>ok</title></item>", before: type)) == nil)
  }

  @Test("a million elements inside one another are refused")
  func depth() {
    let document = Self.rss("<item>" + String(repeating: "<a>", count: 1_000_000))
    #expect(error(document) == .limitExceeded(name: "depth of elements", limit: 256))
  }

  @Test("a tag of megabytes and one of 300,000 attributes are refused")
  func hugeTags() {
    let attributes = (0..<300_000).map { " a\($0)=\"\"" }.joined()
    let long = "<item a=\"\(String(repeating: "x", count: 3_000_000))\"/>"
    for document in [Self.rss("<item\(attributes)/>"), Self.rss(long)] {
      guard case .limitExceeded = error(document) else {
        Issue.record("not refused")
        continue
      }
    }
  }

  @Test(
    "a hundred thousand names are refused, whatever they name",
    arguments: ["<n#/>", "<c n#=''/>", "<c xmlns:n#='u'/>", "<c xmlns='u#'/>", "<n#:c/>"],
  )
  func manyNames(_ unit: String) {
    let names = (0..<100_000).map { unit.replacing("#", with: "\($0)") }.joined()
    let limit = ParsingLimits.standard.maximumNames
    #expect(
      error(Self.rss(names)) == .limitExceeded(name: "number of different names", limit: limit)
    )
  }

  @Test("more elements than any feed has are refused")
  func manyElements() {
    let limits = ParsingLimits(maximumBytes: 4 << 20)
    let document = Self.rss(String(repeating: "<a/>", count: limits.maximumElements + 1))
    #expect(
      throws: FeedParsingError.limitExceeded(
        name: "number of elements",
        limit: limits.maximumElements,
      )
    ) { try FeedParser.feed(document, limits: limits) }
  }

  @Test("a body over the limit is refused")
  func manyBytes() {
    let limits = ParsingLimits(maximumBytes: 1_000)
    #expect(
      throws: FeedParsingError.limitExceeded(name: "bytes of the document", limit: 1_000)
    ) { try FeedParser.feed(Self.rss(String(repeating: " ", count: 1_000)), limits: limits) }
  }

  @Test("JSON inside JSON a hundred thousand times is refused")
  func deepJSON() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(error("{\"items\":\(deep)") == .limitExceeded(name: "nesting", limit: 64))
    let objects = String(repeating: "{\"a\":", count: 100_000)
    #expect(error(objects) == .limitExceeded(name: "nesting", limit: 64))
  }

  @Test("more values than any JSON feed has are refused")
  func manyValues() {
    let limits = ParsingLimits(maximumBytes: 1 << 20)
    let zeros = String(repeating: "0,", count: limits.maximumValues)
    #expect(
      throws: FeedParsingError.limitExceeded(name: "number of values", limit: limits.maximumValues)
    ) { try FeedParser.feed("{\"items\":[\(zeros)]}", limits: limits) }
  }

  @Test("no control character, no override and no foreign scheme comes out")
  func safeFields() throws {
    let nasty = "a&#x1b;[31m&#x9b;2J&#x202e;b&amp;#27;&amp;#x9d;c\u{2028}d"
    let feed = try FeedParser.feed(
      """
      <rss version="2.0"><channel><title>\(nasty)</title><link>javascript:alert(1)</link>
      <item><title>\(nasty)</title><author>\(nasty)</author><category>\(nasty)</category>
      <guid>\(nasty)</guid><pubDate>\(nasty)</pubDate><description>\(nasty)</description>
      <link>file:///etc/passwd</link><enclosure url="data:text/html,x" type="\(nasty)"/>
      <enclosure url="http://h.example/1" type="\(nasty)"/></item></channel></rss>
      """
    )
    let item = try #require(feed.items.first)
    let texts =
      [feed.title, item.title, item.author, item.guid, item.pubDate, item.summary].compactMap(
        \.self
      )
      + item.categories + item.enclosures.compactMap(\.type)
    #expect(texts.count == 8)
    for scalar in texts.joined().unicodeScalars {
      #expect(scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value))
      #expect(scalar.value != 0x202E && scalar.value != 0x2028)
    }
    #expect(feed.link == nil)
    #expect(item.link == "http://h.example/1")
    #expect(item.enclosures.map(\.url) == ["http://h.example/1"])
  }

  @Test("of ten thousand files beside a story few are taken, and of hostile ones what is harmless")
  func relatedFiles() throws {
    let nasty = "a&#x1b;[31m&#x9b;2J&#x202e;b\u{2028}d"
    let many = (0..<10_000).map { "<podcast:transcript url=\"https://h.example/\($0)\"/>" }
    let sources = String(repeating: "<podcast:source uri=\"ipfs://x\"/>", count: 10_000)
    let feed = try FeedParser.feed(
      Self.rss(
        """
        <item><podcast:transcript url="javascript:alert(1)" type="text/vtt"/>
        <podcast:chapters url="file:///etc/passwd"/><podcast:chapters url="data:text/html,x"/>
        <podcast:chapters url="http://h.example/\(nasty)" type="\(nasty)"/>
        <podcast:alternateEnclosure type="\(nasty)" lang="\(nasty)" length="-1">
        <podcast:source uri="javascript:alert(1)"/><podcast:source uri="https://h.example/a"/>
        </podcast:alternateEnclosure></item>
        <item>\(many.joined())<enclosure url="https://h.example/kept"/></item>
        <item><podcast:alternateEnclosure>\(sources)</podcast:alternateEnclosure></item>
        """
      )
    )
    let files = feed.items[0].related
    #expect(files.map(\.role) == [.alternate, .chapters])
    #expect(files.map(\.length) == [nil, nil])
    let texts = files.flatMap { [$0.url, $0.type, $0.language].compactMap(\.self) }
    #expect(texts.count == 5 && texts.allSatisfy { SafeText.line($0) == $0 })
    #expect(feed.items[1].related.count == Draft.maximumListLength)
    #expect(feed.items[1].enclosures.map(\.url) == ["https://h.example/kept"])
    #expect(feed.items[2].related == [])
  }

  @Test("of ten thousand chapters and people few are taken, and their texts are clean and short")
  func chapters() throws {
    let nasty = "a&#x1b;[31m&#x9b;2J&#x202e;b\u{2028}d"
    let long = String(repeating: "word ", count: 5_000)
    let chapters = (0..<10_000).map { "<psc:chapter start=\"\($0)\" title=\"t\"/>" }
    let people = (0..<10_000).map { "<podcast:person>p\($0)</podcast:person>" }
    let feed = try FeedParser.feed(
      Self.rss(
        """
        <item>\(chapters.joined())\(people.joined())</item>
        <item><psc:chapter start="999999999:59:59" title="\(nasty)" href="file:///etc/passwd"/>
        <psc:chapter start="99999999999999999999" title="x"/><psc:chapter start="-1" title="x"/>
        <psc:chapter start="1" title="\(long)"/><podcast:person role="\(nasty)">\(nasty)</podcast:person>
        <podcast:person role="\(long)">\(long)</podcast:person></item>
        """
      )
    )
    #expect(feed.items[0].chapters.count == Chapter.maximumCount)
    #expect(feed.items[0].people.count == Person.maximumCount)
    let item = feed.items[1]
    #expect(item.chapters.count == 2 && item.chapters[1].start == 1 << 40)
    #expect(item.chapters[1].url == nil && item.people.count == 2)
    let texts = item.chapters.map(\.title) + item.people.flatMap { [$0.name, $0.role] }
    #expect(texts.allSatisfy { SafeText.line($0) == $0 && $0.count <= 1_001 })
  }
}
