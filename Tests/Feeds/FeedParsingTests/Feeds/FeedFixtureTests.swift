import FeedModel
import Testing

@testable import FeedParsing

@Suite("Feeds of all formats")
struct FeedFixtureTests {
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
    url: String? = nil,
    limits: ParsingLimits = .standard,
  ) throws(FeedParsingError) -> Feed {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try feed(UnsafeRawBufferPointer(bytes), url: url, limits: limits)
    }
  }

  static func feed(
    _ text: String,
    url: String? = nil,
    limits: ParsingLimits = .standard,
  ) throws(FeedParsingError) -> Feed {
    try feed(of: Array(text.utf8), url: url, limits: limits)
  }
}
