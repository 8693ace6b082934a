internal import CommandLine
import FeedLibrary
package import FeedModel
package import FeedStorage
internal import HTMLParsing
internal import HTMLText
package import System

package struct SiteEntry: Hashable, Sendable {
  let position: Int
  let id: String
  /// The instant at which it counts (`StoryTime`), in seconds since 1970.
  let instant: Int?
  /// The day in the user's time zone, such as `2026-11-01`.
  let day: String
  package let feeds: [String]
  var page = ""

  var anchor: String { "s-\(id)" }
  var address: String { "\(page)#\(anchor)" }

  /// The entries at these positions, in their order; feeds that are not chosen are left out of
  /// them.
  package static func entries(
    at positions: [Int],
    of items: ItemTable,
    chosen: Set<String>?,
    _ clock: WallClock,
  ) throws -> [SiteEntry] {
    var entries: [SiteEntry] = []
    let now = clock.now()
    try items.forEachStory(at: positions) { position, story in
      let (date, stored) = try (story.date(.date), story.date(.stored))
      let instant = StoryTime.instant(
        date: date?.timeIntervalSince1970,
        stored: stored?.timeIntervalSince1970,
        now: now,
      ).map { Int(clamping: $0) }
      entries.append(
        SiteEntry(
          position: position,
          id: Self.digits(try story.id()),
          instant: instant,
          day: instant.map { clock.civilTime($0).dateText } ?? SiteDay.undated,
          feeds: try story.strings(.feeds).filter { chosen?.contains($0) ?? true },
        )
      )
    }
    return entries
  }

  /// Returns the id if it has sixteen hexadecimal digits, or a hash of one that another program
  /// gave.
  private static func digits(_ id: String) -> String {
    let isUsual = id.utf8.count == 16 && id.utf8.allSatisfy { $0.hexadecimalValue != nil }
    return isUsual ? id.lowercased() : FNV1a.hash(id).hexadecimal
  }
}

extension StoryTextIndex {
  package func text(of entry: SiteEntry, in items: ItemTable) throws -> StoryText? {
    try text(of: items.item(at: entry.position))
  }
}

/// URNs that stay the same wherever the site is (RFC 9562, version 8).
package enum SiteID {
  static func urn(story id: String) -> String {
    urn(FNV1a.hash("story \(id)"), UInt64(id, radix: 16) ?? 0)
  }

  package static func urn(site text: String) -> String {
    urn(FNV1a.hash("site \(text)"), FNV1a.hash("\(text) site"))
  }

  private static func urn(_ high: UInt64, _ low: UInt64) -> String {
    let high = (high & ~0xF000 | 0x8000).hexadecimal
    let low = (low & ~(0xC0 << 56) | 0x80 << 56).hexadecimal
    return "urn:uuid:\(high.prefix(8))-\(high.dropFirst(8).prefix(4))-\(high.suffix(4))"
      + "-\(low.prefix(4))-\(low.dropFirst(4))"
  }
}

enum SiteDay {
  static let undated = "undated"

  /// A text such as `Sunday, 1 November 2026`.
  static func words(_ instant: Int?, _ clock: WallClock) -> String {
    guard let instant else { return "Without a date" }
    let time = clock.civilTime(instant)
    let day = CivilDate.daysSinceEpoch(year: time.year, month: time.month, day: time.day)
    return "\(CalendarName.weekdays[CivilDate.weekday(ofDay: day)]), \(date(time))"
  }

  /// A text such as `1 November 2026, 10:42`.
  static func wordsWithTime(_ instant: Int, _ clock: WallClock) -> String {
    let time = clock.civilTime(instant)
    return "\(date(time)), \(time.timeText)"
  }

  /// A text such as `2026-11-01T10:42:00Z`.
  static func exact(_ instant: Int) -> String {
    RFC3339.string(Date(timeIntervalSince1970: Double(instant)))
  }

  private static func date(_ time: CivilTime) -> String {
    "\(time.day) \(CalendarName.months[min(max(time.month, 1), 12) - 1]) \(time.year)"
  }
}

struct SiteStory {
  let entry: SiteEntry
  let item: Item
  let hasWholeText: Bool
  /// The whole text, or the summary; empty if only its beginning is shown.
  var document = StoryDocument()

  var title: String { StoryTitle.text(item) }
  var link: String? { StoryHTML.webLink(item.link) }
  /// The title and the author for feeds, whose programs may take them for HTML.
  var feedTitle: String { MarkupSigns.text(SafeText.line(item.title)) }
  var feedAuthor: String? { author.map(MarkupSigns.text) }
  var summary: String { SafeText.line(item.summary ?? "") }
  var author: String? { item.author.map { SafeText.line($0) }.flatMap { $0.isEmpty ? nil : $0 } }
  var categories: [String] { item.categories.map { SafeText.line($0) }.filter { !$0.isEmpty } }
  var enclosures: [SiteEnclosure] { item.enclosures.compactMap(SiteEnclosure.init) }

  var picture: String? { item.pictures.lazy.compactMap { StoryHTML.webLink($0) }.first }
  var pages: [(role: RelatedFile.Role, url: String)] {
    item.related.filter(\.role.isPage).compactMap { page in
      StoryHTML.webLink(page.url).map { (page.role, $0) }
    }
  }

  /// The date of publication, or the time of storing if that is unknown.
  var date: Date {
    item.date ?? Date(timeIntervalSince1970: Double(entry.instant ?? 0))
  }
}

struct SiteEnclosure {
  let url: String
  let type: String
  let length: Int64?
  let duration: Int?

  init?(_ enclosure: Enclosure) {
    guard let url = StoryHTML.webLink(enclosure.url) else { return nil }
    self.url = url
    length = enclosure.length.flatMap { $0 > 0 ? $0 : nil }
    duration = enclosure.duration.flatMap { $0 > 0 ? $0 : nil }
    let parts = (enclosure.type ?? "").split(separator: "/", omittingEmptySubsequences: false)
    let isType =
      parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { $0.isASCIILetterOrDigit || "+-._".utf8.contains($0) }
      }
    type = isType ? parts.joined(separator: "/") : "application/octet-stream"
  }

  var words: String {
    type + (length.map { ", " + ByteCount.text(Int(clamping: $0)) } ?? "")
  }
}

/// A feed as strangers may know it: without passwords and files of this machine.
struct SiteFeed: Hashable, Sendable {
  let name: String
  /// The path of its page, which stays the same as long as its URL does.
  let page: String
  /// The URL; nil for a private one.
  let url: String?
  let link: String?

  init(url: String, title: String?, link: String?) {
    let host = WebURL.host(of: url)
    self.url = WebURL.redacted(url) == url ? StoryHTML.webLink(url) : nil
    self.link = StoryHTML.webLink(link)
    let title = SafeText.line(title ?? "")
    let other = host ?? FilePath.name(of: LocalPath.path(ofFileURL: url) ?? "feed")
    name = title.isEmpty || title == url ? SafeText.line(other) : title
    page = "feed/\(Self.slug(host ?? "file"))-\(FNV1a.hash(url).hexadecimal).html"
  }

  private static func slug(_ host: String) -> String {
    let bytes = host.utf8.prefix(60).map(\.asciiLowercased)
    let plain = bytes.map { $0.isASCIILetterOrDigit ? $0 : UInt8(ascii: "-") }
    return String(decoding: plain, as: UTF8.self)
  }
}
