import HTMLParsing

enum FeedVocabulary {
  static func element(_ local: String, in namespace: FeedNamespace) -> FeedElement {
    let local = local.lowercased()
    let found: FeedElement? =
      switch namespace {
      case .rss, .rss090, .atom, .atom03: core[local] ?? markup(local)
      // After a stray end tag, an XHTML default namespace can reach beyond its element.
      case .xhtml: xhtml[local] ?? core[local] ?? markup(local)
      case .rdf: rdf[local]
      case .dublinCore: dublinCore[local]
      case .content: local == "encoded" ? .contentEncoded : nil
      case .media: media[local]
      case .itunes: itunes[local]
      case .podcast: podcast[local] ?? .foreign
      case .simpleChapters: simpleChapters[local]
      case .syndication: syndication[local]
      case .feedBurner: feedBurner[local]
      case .foreign: .foreign
      }
    return found ?? .unknown
  }

  private static let core: [String: FeedElement] = [
    "rss": .rss, "rdf": .rdf, "feed": .feed, "channel": .channel, "item": .item, "entry": .item,
    "source": .source, "skiphours": .skipHours, "skipdays": .skipDays,
    "author": .author, "name": .name, "email": .email,
    "title": .title, "link": .link, "guid": .guid, "id": .id,
    "description": .description, "abstract": .description, "summary": .summary,
    "subtitle": .subtitle, "tagline": .subtitle, "content": .content, "encoded": .contentEncoded,
    "pubdate": .pubDate, "date": .date, "published": .published, "issued": .issued,
    "updated": .updated, "modified": .modified, "created": .created,
    "lastbuilddate": .lastBuildDate, "creator": .creator, "category": .category,
    "enclosure": .enclosure, "origlink": .originalLink, "language": .language,
    "image": .picture, "body": .xhtmlBody, "comments": .comments, "ttl": .timeToLive, "hour": .hour,
    "day": .day, "icon": .icon, "url": .imageURL,
  ]

  private static let rdf: [String: FeedElement] = ["rdf": .rdf]

  private static let dublinCore: [String: FeedElement] = [
    "title": .dcTitle, "creator": .creator, "author": .creator, "date": .dcDate,
    "issued": .issued, "modified": .modified, "created": .created, "subject": .dcSubject,
    "description": .dcDescription, "abstract": .dcAbstract, "language": .dcLanguage,
  ]

  private static let media: [String: FeedElement] = [
    "group": .mediaGroup, "content": .mediaContent, "title": .mediaTitle,
    "description": .mediaDescription, "category": .mediaCategory, "keywords": .keywords,
    "thumbnail": .thumbnail,
  ]

  private static let itunes: [String: FeedElement] = [
    "title": .itunesTitle, "author": .itunesAuthor, "summary": .itunesSummary,
    "description": .itunesSummary, "subtitle": .itunesSubtitle, "category": .itunesCategory,
    "keywords": .keywords, "image": .picture, "duration": .duration, "season": .season,
    "episode": .episode,
    "new-feed-url": .newFeedURL,
  ]

  private static let podcast: [String: FeedElement] = [
    "alternateenclosure": .alternateEnclosure, "source": .alternateSource,
    "chapters": .chapters, "transcript": .transcript, "season": .season, "episode": .episode,
    "person": .podcastPerson, "image": .picture,
  ]

  private static let simpleChapters: [String: FeedElement] = [
    "chapters": .chapterList, "chapter": .chapter,
  ]

  private static let syndication: [String: FeedElement] = [
    "updateperiod": .updatePeriod, "updatefrequency": .updateFrequency, "updatebase": .updateBase,
  ]

  private static let feedBurner: [String: FeedElement] = [
    "origlink": .originalLink, "origenclosurelink": .originalEnclosureLink,
  ]

  private static let xhtml: [String: FeedElement] = ["body": .xhtmlBody, "div": .xhtmlBody]

  private static func markup(_ local: String) -> FeedElement? {
    let tag = Array(local.utf8).withUnsafeBytes { HTMLTag.of($0[...]) }
    if tag == .unknown { return nil }
    return tag.isStripped ? .scriptMarkup : tag.separatesWords ? .blockMarkup : .inlineMarkup
  }
}

/// The elements that mean something in a feed, of all formats and vocabularies.
///
/// Real feeds mix them freely (`atom:link` in RSS, `dc:date` in Atom), so one vocabulary serves all
/// formats. `FieldPriority` says which of several elements gives a field.
enum FeedElement: UInt8, Hashable, Sendable, CaseIterable {
  /// An element that is unknown or of no use; in a feed, stories inside it still count.
  case unknown
  /// An element of a vocabulary that no feed is made of: all of it is skipped.
  case foreign
  case rss, rdf, feed, channel, item, source, mediaGroup, mediaContent, skipHours, skipDays
  case author, name, email
  case title, mediaTitle, dcTitle, itunesTitle
  case link, guid, id
  /// The attribute `rdf:about`.
  case about
  case description, summary, subtitle, dcDescription, dcAbstract, itunesSummary, itunesSubtitle
  case contentEncoded, content, xhtmlBody, mediaDescription, pictureText
  case pubDate, dcDate, date, published, issued, updated, modified, created, lastBuildDate
  case creator, itunesAuthor
  case category, dcSubject, mediaCategory, itunesCategory, keywords
  case enclosure, duration, season, episode, comments, originalLink, originalEnclosureLink
  case alternateEnclosure, alternateSource, chapters, transcript, chapterList, chapter,
    podcastPerson
  case picture, thumbnail
  /// An icon of the feed, and the `url` in the `image` of an RSS channel.
  case icon, imageURL
  case language, dcLanguage, timeToLive, hour, day
  case updatePeriod, updateFrequency, updateBase, newFeedURL
  case inlineMarkup, blockMarkup, scriptMarkup
}

extension FeedElement {
  /// The place among the candidates for the whole text, of which the first with words is it; nil for
  /// any other element.
  var wholeTextRank: Int? {
    switch self {
    case .content: 0
    case .contentEncoded: 1
    case .xhtmlBody: 2
    case .description: 3
    case .summary: 4
    case .dcDescription: 5
    case .dcAbstract: 6
    case .itunesSummary: 7
    case .mediaDescription: 8
    default: nil
    }
  }

  /// PERF: asked at the start of every text.
  var mayBeWholeText: Bool { wholeTextRank != nil }
}

struct FeedElementCode: Hashable, Sendable {
  let element: FeedElement
  /// True of an Atom text construct, whose `type` says what its text is.
  let isAtom: Bool
  /// A number of `HTMLTagName`, at most 127; 0 for other elements.
  var tag: UInt8 = 0

  var rawValue: UInt16 {
    UInt16(element.rawValue) | (isAtom ? 0x100 : 0) | UInt16(tag) << 9
  }

  init(_ element: FeedElement, isAtom: Bool = false) {
    self.element = element
    self.isAtom = isAtom
  }

  init(rawValue: UInt16) {
    element = FeedElement(rawValue: UInt8(truncatingIfNeeded: rawValue)) ?? .unknown
    isAtom = rawValue & 0x100 != 0
    tag = UInt8(rawValue >> 9)
  }
}
