import FeedModel
import Testing

@testable import FeedParsing

@Suite("Feeds of all formats")
struct FeedFixtureTests {
  static let chunkSizes = [1, 2, 7, 64, 4096]

  @Test("there are fixtures of every format")
  func thereAreFixtures() {
    let formats = FeedFixture.all.compactMap { $0.expected["format"]?.text }
    #expect(Set(formats) == Set(FeedFormat.allCases.map(\.rawValue)))
    #expect(FeedFixture.all.count > 50)
  }

  @Test("a document gives what is expected of it", arguments: FeedFixture.all)
  func findsWhatIsExpected(_ fixture: FeedFixture) throws {
    let feed = try FeedParser.feed(of: fixture.bytes)
    #expect(fixture.expected.differences(from: feed.rendered) == [])
  }

  @Test("the pieces in which a document arrives make no difference", arguments: FeedFixture.all)
  func piecesMakeNoDifference(_ fixture: FeedFixture) throws {
    let whole = try FeedParser.feed(of: fixture.bytes)
    for size in Self.chunkSizes {
      #expect(try FeedParser.feed(of: fixture.bytes, chunk: size) == whole, "chunks of \(size)")
    }
  }

  @Test("a document cut anywhere keeps its finished stories and is not complete")
  func cutAnywhere() throws {
    let path = "rss/harbour-log.xml"
    let fixture = try #require(FeedFixture.all.first { $0.testDescription == path })
    let whole = try FeedParser.feed(of: fixture.bytes)
    for end in stride(from: 500, to: fixture.bytes.count - 8, by: 13) {
      let feed = try FeedParser.feed(of: Array(fixture.bytes[..<end]))
      #expect(!feed.isComplete)
      #expect(feed.items == Array(whole.items.prefix(feed.items.count)))
    }
  }
}

extension FeedParser {
  static func feed(
    of bytes: [UInt8],
    chunk: Int = .max,
    url: String? = nil,
    limits: ParsingLimits = .standard,
  ) throws(FeedParsingError) -> Feed {
    let parser = FeedParser(url: url, limits: limits)
    var failure: FeedParsingError?
    bytes.withUnsafeBytes { raw in
      var start = 0
      while start < raw.count, failure == nil {
        let end = start + min(chunk, raw.count - start)
        do throws(FeedParsingError) {
          try parser.parse(UnsafeRawBufferPointer(rebasing: raw[start..<end]))
        } catch {
          failure = error
        }
        start = end
      }
    }
    if let failure { throw failure }
    return try parser.finish()
  }

  static func feed(
    _ text: String,
    url: String? = nil,
    limits: ParsingLimits = .standard,
  ) throws(FeedParsingError) -> Feed {
    try feed(of: Array(text.utf8), url: url, limits: limits)
  }
}
