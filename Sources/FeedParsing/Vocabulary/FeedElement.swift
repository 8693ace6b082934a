/// The elements that mean something in a feed, of all formats and vocabularies together.
///
/// Real feeds mix them freely (`atom:link` in RSS, `dc:date` in Atom), so one vocabulary serves all
/// formats, and which of several elements gives a field is `FieldPriority`'s to say.
enum FeedElement: UInt8, Hashable, Sendable, CaseIterable {
  /// Not known, or known to be of no use: left out with all that it contains.
  case unknown
  /// The same, of a vocabulary that no feed is made of.
  case foreign
  // Structure.
  case rss, rdf, feed, channel, item, source, mediaGroup, mediaContent, skipHours, skipDays
  // Persons.
  case author, name, email
  // Text of items and feeds.
  case title, mediaTitle, dcTitle, itunesTitle
  case link, guid, id
  /// The attribute `rdf:about`.
  case about
  case description, summary, subtitle, dcDescription, dcAbstract, itunesSummary, itunesSubtitle
  case contentEncoded, content, xhtmlBody, mediaDescription
  case pubDate, dcDate, published, issued, updated, modified, created, lastBuildDate
  case creator, itunesAuthor
  case category, dcSubject, mediaCategory, itunesCategory, keywords
  case enclosure, duration, originalLink, originalEnclosureLink
  // Text of feeds only.
  case language, dcLanguage, timeToLive, hour, day
  case updatePeriod, updateFrequency, updateBase, newFeedURL
  // Markup inside text.
  case inlineMarkup, blockMarkup, scriptMarkup
}

/// An element as it stands in one document.
struct FeedElementCode: Hashable, Sendable {
  let element: FeedElement
  /// Whether its text is an Atom construct, whose `type` says what it is.
  let isAtom: Bool

  var rawValue: UInt16 {
    UInt16(element.rawValue) | (isAtom ? 0x100 : 0)
  }

  init(_ element: FeedElement, isAtom: Bool = false) {
    self.element = element
    self.isAtom = isAtom
  }

  init(rawValue: UInt16) {
    element = FeedElement(rawValue: UInt8(truncatingIfNeeded: rawValue)) ?? .unknown
    isAtom = rawValue & 0x100 != 0
  }
}
