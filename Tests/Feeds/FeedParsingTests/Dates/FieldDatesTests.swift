import FeedModel
import System
import Testing

@testable import FeedParsing

@Suite("The dates of fields")
struct FieldDatesTests {
  private func feed(_ item: String, channel: String = "", latestYear: Int = 2028) throws -> Feed {
    var limits = ParsingLimits.standard
    limits.latestYear = latestYear
    let document = """
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title>\
      \(channel)<item><title>A</title>\(item)</item></channel></rss>
      """
    return try Array(document.utf8).withUnsafeBytes {
      try FeedParser.feed($0, url: nil, limits: limits)
    }
  }

  private func date(_ item: String, channel: String = "") throws -> String? {
    try feed(item, channel: channel).items[0].date.map(RFC3339.string)
  }

  private static let ist = "<pubDate>Mon, 05 Jan 2026 12:00:00 IST</pubDate>"
  private static let cst = "<pubDate>Mon, 05 Jan 2026 12:00:00 CST</pubDate>"

  @Test(
    "a zone with several meanings is that of the language, or of the other dates",
    arguments: [
      (ist, "<language>hi</language>", "06:30"), (ist, "<language>en-IN</language>", "06:30"),
      (ist, "<language>he</language>", "10:00"), (ist, "<language>ga-IE</language>", "11:00"),
      (ist, "<lastBuildDate>Mon, 05 Jan 2026 13:00:00 +0530</lastBuildDate>", "06:30"),
      (ist + "<dc:date>nothing +0530</dc:date>", "", "12:00"), (cst, "", "18:00"),
      (cst, "<language>en-us</language>", "18:00"), (cst, "<language>zh-CN</language>", "04:00"),
      (cst, "<pubDate>Mon, 05 Jan 2026 13:00:00 +0800</pubDate>", "04:00"),
    ],
  )
  func zones(_ item: String, _ channel: String, _ time: String) throws {
    #expect(try date(item, channel: channel) == "2026-01-05T\(time):00Z")
  }

  @Test("a zone that stays unknown is marked, and a date that needs none is better")
  func unknownZone() throws {
    let feed = try feed(Self.ist)
    #expect(feed.items[0].date.map(RFC3339.string) == "2026-01-05T12:00:00Z")
    #expect(feed.notes.contains { $0.contains("time zone") })
    #expect(try self.feed(Self.cst).notes.isEmpty)
    let other = "<dc:date>2026-01-05T06:30:00Z</dc:date>"
    #expect(try date(Self.ist + other) == "2026-01-05T06:30:00Z")
  }

  @Test(
    "a year that cannot be meant is none, and the next field is asked",
    arguments: ["1404-11-07", "1601-01-01T00:00:00Z", "1899-12-30", "2029-01-01", "2569-01-05"],
  )
  func years(_ text: String) throws {
    let other = "<dc:date>2026-01-05T06:30:00Z</dc:date>"
    #expect(try date("<pubDate>\(text)</pubDate>" + other) == "2026-01-05T06:30:00Z")
    #expect(try date("<pubDate>\(text)</pubDate>") == nil)
  }

  @Test("the end of the year after the next is expected, and all years without a clock")
  func latest() throws {
    #expect(try date("<pubDate>2028-12-31T23:59:59Z</pubDate>") == "2028-12-31T23:59:59Z")
    let feed = try feed("<pubDate>2999-01-01</pubDate>", latestYear: 9_998)
    #expect(feed.items[0].date != nil)
    var limits = ParsingLimits.standard
    limits.expectDates(at: Date(timeIntervalSince1970: 1_767_225_600))
    #expect(limits.latestYear == 2028)
  }

  @Test("a time on the same day is better than the day alone, and one of a change is not")
  func times() throws {
    let (day, time) = ("<pubDate>2026-01-05</pubDate>", "2026-01-05T06:30:00Z")
    #expect(try date(day + "<dc:date>\(time)</dc:date>") == time)
    #expect(try date("<date>2026-01-05</date><dc:date>\(time)</dc:date>") == time)
    #expect(try date(day + "<lastBuildDate>\(time)</lastBuildDate>") == "2026-01-05T00:00:00Z")
    let later = "<dc:date>2026-01-09T06:30:00Z</dc:date>"
    #expect(try date(day + later) == "2026-01-05T00:00:00Z")
  }
}
