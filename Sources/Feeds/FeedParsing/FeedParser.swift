package import FeedModel
package import System

/// The reader of a whole document.
///
/// Its bytes become clean UTF-8 (`DocumentDecoder`), which libxml2 or the JSON reader reads into a
/// handler that knows what the elements mean; a broken document is repaired first (`MarkupRepair`).
package enum FeedParser {
  private static let maximumNotes = 20

  /// Returns the feed with its stories in the document's order.
  ///
  /// `url` is the base of references that have no other. `charset` is the transport's word on the
  /// encoding (RFC 7303 §3). `links` are the response's `Link` fields, which may announce feeds on
  /// a web page, and `refresh` is the field by which that may lead on.
  package static func feed(
    _ bytes: UnsafeRawBufferPointer,
    url: String?,
    charset: String? = nil,
    links: [String] = [],
    refresh: String? = nil,
    limits: ParsingLimits = .standard,
  ) throws(FeedParsingError) -> Feed {
    let ways = refresh.flatMap { WebPage.wayOn($0, from: url) }.map { [$0] } ?? []
    do throws(FeedParsingError) {
      var feed = try feed(bytes, url, charset, limits)
      let notes = LinkHeader.notes(links, url: url)
      feed.notes = Array((notes + feed.notes).prefix(maximumNotes))
      return feed
    } catch .webPage(let announced) {
      let feeds = LinkHeader.announcedFeeds(links, url: url) + ways + announced
      throw .webPage(announced: feeds.ranked)
    } catch .empty where !ways.isEmpty {
      throw .webPage(announced: ways)
    }
  }

  private static func feed(
    _ bytes: UnsafeRawBufferPointer,
    _ url: String?,
    _ charset: String?,
    _ limits: ParsingLimits,
  ) throws(FeedParsingError) -> Feed {
    guard bytes.count <= limits.maximumBytes else {
      throw .limitExceeded(name: "bytes of the document", limit: limits.maximumBytes)
    }
    let decoder = try DocumentDecoder(bytes, charset: charset, maximumBytes: limits.maximumBytes)
    var feed = try decoder.withBytes(of: bytes) { (utf8) throws(FeedParsingError) in
      guard utf8.contains(where: { !$0.isXMLWhitespace }) else { throw .empty }
      guard let json = json(in: utf8) else { return try markup(utf8, url: url, limits) }
      return try JSONFeedReader(url: url, limits: limits).feed(json.bindMemory(to: UInt8.self))
    }
    feed.notes = Array((decoder.notes + feed.notes).prefix(maximumNotes))
    return feed
  }

  /// Returns JSON without what some servers put before it: `)]}'`, a callback, a comment, a warning
  /// of PHP.
  private static func json(in utf8: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let less = UInt8(ascii: "<")
    let first = utf8.firstIndex { !$0.isXMLWhitespace } ?? 0
    guard utf8[first] != less || utf8.hasASCII("<br", at: first),
      let start = utf8.prefix(4096).firstIndex(of: UInt8(ascii: "{"))
    else { return nil }
    let next = utf8[(start + 1)...].first { !$0.isXMLWhitespace }
    let isBehindText = utf8[first] != less && utf8[first..<start].contains(less)
    guard start == first || next == UInt8(ascii: "\"") && !isBehindText else { return nil }
    return UnsafeRawBufferPointer(rebasing: utf8[start...])
  }

  private static func markup(
    _ utf8: UnsafeRawBufferPointer,
    url: String?,
    _ limits: ParsingLimits,
  ) throws(FeedParsingError) -> Feed {
    let document = try MarkupDocument(utf8, url: url, limits: limits) {
      FeedDocumentHandler(url: url, limits: limits, size: utf8.count)
    }
    let handler = document.handler
    guard handler.isFeed else {
      if handler.root.kind == .rdf { throw .notAFeed(root: "RDF") }
      guard let first = document.firstRecovery else {
        throw .malformed(line: 1, reason: "no root element")
      }
      throw .malformed(line: first.line, reason: SafeText.line(first.reason))
    }
    let isCut = handler.results.isCut
    let isWhole = document.isComplete && handler.isRootClosed
    var feed = try handler.feed()
    feed.isComplete = isWhole && !isCut
    feed.notes = document.remarks(isWhole: isWhole || isCut) + feed.notes
    return feed
  }
}

/// The limits of a document, and what is kept of its stories.
///
/// They grow with `maximumBytes`, so that whoever allows a large document gets its stories.
package struct ParsingLimits: Hashable, Sendable {
  /// The bytes as received and the bytes after decoding, each.
  package let maximumBytes: Int
  package let maximumDepth: Int
  package let maximumElements: Int
  /// The number of values of a JSON document, which are all kept until it has ended.
  package let maximumValues: Int
  /// The number of different names of elements, attributes, prefixes and namespaces: libxml2 keeps
  /// each in its dictionary, which slows down with each.
  package let maximumNames: Int
  /// The number of namespaces that the open elements declare: libxml2 looks through them at each
  /// prefix.
  package let maximumNamespaces: Int
  /// The number of attributes of one element: libxml2 compares each with each.
  package let maximumAttributes: Int
  package let maximumItems: Int
  package var kept = Kept.items
  /// The last year that a date of a field may have.
  package var latestYear = 9_998

  package enum Kept: CaseIterable, Hashable, Sendable {
    /// Nothing but their lines (`StoryLines`).
    case lines
    case items
    /// Their items and whole texts.
    case texts
  }

  /// The limits without `--max-size`: 32 MiB.
  package static let standard = ParsingLimits(maximumBytes: 32 << 20)

  /// Expects no dates later than the end of the year after the next.
  package mutating func expectDates(at now: Date) {
    let year = CivilDate(daysSinceEpoch: now.wholeSeconds / 86_400).year
    // A clock without a battery begins in 1970: that says nothing about dates.
    if 2025...9_996 ~= year { latestYear = year + 2 }
  }

  /// Makes the limits of a document that comes `now`.
  package init(maximumBytes: Int, keeping kept: Kept, datesAt now: Date) {
    self.init(maximumBytes: maximumBytes)
    self.kept = kept
    expectDates(at: now)
  }

  package init(maximumBytes: Int) {
    self.maximumBytes = max(maximumBytes, 1)
    maximumDepth = 256
    maximumElements = max(self.maximumBytes / 12, 250_000)
    maximumValues = maximumElements / 4
    maximumNames = 20_000
    maximumNamespaces = 200
    maximumAttributes = 250
    maximumItems = max(self.maximumBytes / 256, 10_000)
  }
}
