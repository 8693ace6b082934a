import FeedFetching
import FeedModel
import FeedParsing
import HTMLText
import System
import TestSupport
import Testing

@testable import FeedReading

@Suite("What one process tells another of what it read")
struct ReadingRecordTests {
  private static let document = """
    <rss version="2.0"><channel><title>T</title><link>https://a.example/</link><ttl>60</ttl>
    <skipHours><hour>3</hour></skipHours><item><title>One</title><link>https://a.example/1</link>
    <guid>1</guid><pubDate>Mon, 18 Mar 2019 14:02:11 GMT</pubDate><category>c</category>
    <enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="5"/>
    <description>&lt;p&gt;a &lt;b&gt;text&lt;/b&gt;</description></item></channel></rss>
    """

  private func feed() throws -> Feed {
    var limits = ParsingLimits.standard
    limits.kept = .texts
    let bytes = Array(Self.document.utf8)
    return try bytes.withUnsafeBytes {
      try FeedParser.feed($0, url: "https://a.example/f", limits: limits)
    }
  }

  @Test("a feed comes as it was read")
  func feeds() throws {
    let feed = try feed()
    #expect(feed.items.count == 1)
    #expect(Feed(record: feed.record) == feed)
    let read = ReadDocument(feed: .success(feed), digest: "d")
    #expect(ReadDocument(record: read.record)?.feed == .success(feed))
  }

  @Test("a story's blocks come as they were read")
  func stories() throws {
    let html = """
      <h2>H</h2><p>a <b>b</b> <a href="/x">c</a><br>d <img src="i.png" alt="i"></p><ul><li>1<ol start=3><li>2
      </ol></ul><blockquote>q</blockquote><pre>x\n\ty</pre><table><caption>c</caption><tr><th colspan=2>t
      </table><hr><dl><dt>t<dd>d</dl><figure><img src=f.png><figcaption>f</figcaption></figure>
      <audio src="a.mp3"></audio>
      """
    let text = StoryText(isHTML: true, bytes: Array(html.utf8))
    let document = StoryDocumentReader.document(text, link: "https://a.example/")
    #expect(document.blocks.count >= 9)
    #expect(StoryDocument(record: document.record) == document)
    #expect(try StoryReading.document(text, link: "https://a.example/") == document)
  }

  @Test(
    "why a document is no feed comes as it was said",
    arguments: [
      FeedParsingError.empty,
      .webPage(announced: [AnnouncedFeed(url: "https://a.example/f", evidence: .header)]),
      .notAFeed(root: "x"), .unrecognized, .malformed(line: 3, reason: "r"),
      .declarationRefused(kind: "k"), .limitExceeded(name: "n", limit: 4),
      .unsupportedEncoding("e"), .library(LibraryFault(.zlib, "l")), .readerEnded,
    ],
  )
  func errors(_ error: FeedParsingError) {
    #expect(FeedParsingError(record: error.record) == error)
  }

  @Test(
    "nothing is taken of a record that is cut off, too long or changed in one byte beyond sense"
  )
  func damaged() throws {
    let record = try feed().record
    for count in 0..<record.count { #expect(Feed(record: Array(record[..<count])) == nil) }
    #expect(Feed(record: record + [0]) == nil)
    for index in record.indices {
      var bytes = record
      bytes[index] ^= 0xff
      // No record traps, and one that is read can be written again.
      if let feed = Feed(record: bytes) { #expect(Feed(record: feed.record) != nil) }
    }
  }

  @Test("blocks beyond all measure make no record")
  func nesting() {
    var block = StoryBlock.rule
    for _ in 0..<1000 { block = .quotation([block]) }
    #expect(StoryDocument(record: StoryDocument(blocks: [block]).record) == nil)
  }

  @Test(
    "each value of each record is refused that is none of its kind",
    arguments: ReadingJob.Kind.allCases,
  )
  func kinds(_ kind: ReadingJob.Kind) {
    let faults =
      switch kind {
      case .document:
        ReadDocument.faults(
          fit: [Item(title: "t").withPacked { Array($0) }, Array("webPage".utf8), [9, 9, 10]]
        )
      case .page: PageReading.Value.faults()
      case .transcript: StoryText.faults()
      case .outlines: OutlineDocument.faults()
      case .story: StoryDocument.faults()
      case .database: DatabasePart.faults()
      case .serverAnswer, .namedAnswer: ServerAnswer.faults()
      case .confinement: WallNames.faults()
      }
    #expect(faults == [])
  }

  @Test("each text of a story is refused that is none of its kind")
  func items() {
    var whole = StorySpoiler(place: nil, text: "")
    _ = ItemDetails().coded(by: &whole)
    #expect(whole.count == 13)
    for text in ItemText.allCases {
      for bad in StorySpoiler.texts {
        #expect(Item(record: StorySpoiler.item(text, bad).record) == nil, "\(text): \(bad)")
      }
    }
    for place in 0..<whole.count {
      for bad in StorySpoiler.texts {
        var spoiler = StorySpoiler(place: place, text: bad)
        let item = Item(title: "t", details: ItemDetails().coded(by: &spoiler))
        #expect(Item(record: item.record) == nil, "\(place): \(bad)")
      }
    }
    var none = StorySpoiler(place: nil, text: "")
    let item = Item(title: "t", details: ItemDetails().coded(by: &none))
    #expect(Item(record: item.record) == item)
  }

  @Test("a story is none whose bytes are cut, too many, or in another order")
  func packed() {
    var none = StorySpoiler(place: nil, text: "")
    let bytes = Item(title: "t", details: ItemDetails().coded(by: &none)).record
    for index in 8..<bytes.count {
      var changed = bytes
      changed[index] ^= 0xff
      // No story traps, and one that is read is sound when it is read again.
      if let item = Item(record: changed) { #expect(Item(record: item.record) == item) }
    }
    for count in 0..<bytes.count - 8 {
      var writer = RecordWriter()
      var content = Array(bytes[8..<8 + count])
      writer.code(&content) { _ in true }
      if let item = Item(record: writer.bytes) { #expect(Item(record: item.record) == item) }
    }
  }

  @Test("a story whose link has no base is one all the same: that of a file")
  func relative() throws {
    let item = "<item><title>a</title><link>/a^b?c</link></item>"
    let bytes = Array("<rss version='2.0'><channel><title>T</title>\(item)</channel></rss>".utf8)
    let reading = DocumentReading(.standard, isFileBase: false)
    let head = ResponseHead(status: nil, url: "file:///tmp/feed.xml")
    let document = try bytes.withUnsafeBytes { try reading.read(ForeignBytes($0, head)) }
    #expect(try document.feed.get().items.map(\.link) == ["/a^b?c"])
    #expect(ReadDocument(record: document.record) != nil)
  }

  @Test(
    "lines are none that are not three fields each",
    arguments: [
      "\n", "a\n", "a\tb\n", "a\nb\tc\td\n", "a\tb\tc", "\t\t\td\n", "a\tb\tc\nd", "\u{1b}\tb\tc\n",
      "a\tb\nc\td\te\n",
    ],
  )
  func unsoundLines(_ text: String) {
    #expect(StoryLines(record: Self.record(text)) == nil)
    #expect(StoryLines(record: Self.record("a\tb\tc\n\t\tü\n"))?.count == 2)
    #expect(StoryLines(record: Self.record(""))?.count == 0)
  }

  private static func record(_ text: String) -> [UInt8] {
    var writer = RecordWriter()
    var bytes = Array(text.utf8)
    writer.code(&bytes) { _ in true }
    return writer.bytes
  }

  @Test("a feed with more stories than its document may have is none")
  func tooMany() {
    let reading = DocumentReading(ParsingLimits(maximumBytes: 1))
    var feed = Feed(format: .rss20)
    feed.items = [Item](repeating: Item(title: "t"), count: reading.maximumCount + 1)
    let record = ReadDocument(feed: .success(feed), digest: "d").record
    #expect(ReadDocument(record: record, maximumCount: reading.maximumCount) == nil)
  }
}

/// A coder that fills all details of a story, and one text, chosen by its place, with another.
private struct StorySpoiler: ItemCoder, PartCoder {
  typealias Failure = Never

  let place: Int?
  let text: String
  private(set) var count = 0
  private var isOfPerson = false

  init(place: Int?, text: String) { (self.place, self.text) = (place, text) }

  static let texts = [
    "\u{1b}[2J", "a\0b", "\u{9b}31m", "a\u{202e}b", "a\u{200b}b", "a\nb", "javascript:\u{7}",
    "\u{7f}",
  ]

  static func item(_ part: ItemText, _ text: String) -> Item {
    switch part {
    case .title: Item(title: text)
    case .pubDate: Item(pubDate: text)
    case .guid: Item(guid: text)
    case .link: Item(link: text)
    case .summary: Item(summary: text)
    }
  }

  private mutating func next(_ fit: String) -> String {
    defer { count += 1 }
    return count == place ? text : fit
  }

  mutating func flag(_: ItemField, _: Bool) -> Bool { true }
  mutating func number(_: ItemField, _: Int?) -> Int? { 1 }
  mutating func date(_: ItemField, _: Date?) -> Date? { Date(timeIntervalSince1970: 1) }
  mutating func text(_ field: ItemField, _: String?) -> String? {
    next(field == .comments ? "https://a.example/" : "word")
  }
  mutating func texts(_: ItemField, _: [String]) -> [String] { [next("word")] }
  mutating func parts<Part: ItemPart>(_: ItemField, _: [Part]) -> [Part] {
    isOfPerson = Part.self == Person.self
    return [Part().coded(by: &self)].compactMap(\.self)
  }
  mutating func text(_ key: String, _: String?) -> String? {
    // The role of a file is a name of a list.
    key == "role" && !isOfPerson ? RelatedFile.Role.transcript.rawValue : next("word")
  }
  mutating func link(_: String, _: String?) -> String? { next("https://a.example/") }
  mutating func number(_: String, _: Int?) -> Int? { 1 }
}
