import FeedFetching
import FeedModel
import FeedParsing
import HTMLText
import System
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
    limits.keepsTexts = true
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

  @Test("a text with control characters, and blocks beyond all measure, make no record")
  func hostile() {
    let forged = "a.[2J".record.map { $0 == UInt8(ascii: ".") ? 0x1b : $0 }
    #expect(String(record: forged) == nil)
    var block = StoryBlock.rule
    for _ in 0..<1000 { block = .quotation([block]) }
    #expect(StoryDocument(record: StoryDocument(blocks: [block]).record) == nil)
  }

  @Test("a story is none whose texts are no lines, or whose link leads elsewhere than to the web")
  func unsound() {
    let reading = DocumentReading(.standard)
    for item in [Item(title: "a\u{1b}[2J"), Item(title: "a\nb"), Item(link: "javascript:alert(1)")]
    {
      var feed = Feed(format: .rss20)
      feed.items = [item]
      #expect(!reading.isSound(ReadDocument(feed: .success(feed), digest: "")))
    }
  }

  @Test("a story whose link has no base is one all the same: that of a file")
  func relative() throws {
    let item = "<item><title>a</title><link>/a^b?c</link></item>"
    let bytes = Array("<rss version='2.0'><channel><title>T</title>\(item)</channel></rss>".utf8)
    let reading = DocumentReading(.standard, isFileBase: false)
    let head = ResponseHead(status: nil, url: "file:///tmp/feed.xml")
    let document = try bytes.withUnsafeBytes { try reading.read($0, head) }
    #expect(try document.feed.get().items.map(\.link) == ["/a^b?c"])
    #expect(reading.isSound(document))
  }
}
