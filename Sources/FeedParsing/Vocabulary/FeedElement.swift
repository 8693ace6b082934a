/// The elements that mean something in a feed, of all formats and vocabularies together.
///
/// Real feeds mix them freely (`atom:link` in RSS, `dc:date` in Atom), so one vocabulary serves all
/// formats, and which of several elements gives a field is `FieldPriority`'s to say.
enum FeedElement: UInt8, Hashable, Sendable, CaseIterable {
  /// Not known, or known to be of no use: left out with all that it contains.
  case unknown
  // Structure.
  case rss
  case rdf
  case feed
  case channel
  case item
  case source
  case mediaGroup
  case mediaContent
  case skipHours
  case skipDays
  // Persons.
  case author
  case name
  case email
  // Text of items and feeds.
  case title
  case mediaTitle
  case dcTitle
  case itunesTitle
  case link
  case guid
  case id
  /// The attribute `rdf:about`.
  case about
  case description
  case summary
  case subtitle
  case dcDescription
  case dcAbstract
  case itunesSummary
  case itunesSubtitle
  case contentEncoded
  case content
  case xhtmlBody
  case mediaDescription
  case pubDate
  case dcDate
  case published
  case issued
  case updated
  case modified
  case created
  case lastBuildDate
  case creator
  case itunesAuthor
  case category
  case dcSubject
  case mediaCategory
  case itunesCategory
  case keywords
  case enclosure
  case duration
  case originalLink
  case originalEnclosureLink
  // Text of feeds only.
  case language
  case dcLanguage
  case timeToLive
  case hour
  case day
  case updatePeriod
  case updateFrequency
  case updateBase
  case newFeedURL
  // Markup inside text.
  case blockMarkup
  case scriptMarkup
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
