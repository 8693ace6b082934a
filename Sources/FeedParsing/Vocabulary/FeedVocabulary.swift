/// Which element a name stands for: namespaces by URI, names in any case.
enum FeedVocabulary {
  static func element(_ local: String, in namespace: FeedNamespace) -> FeedElement {
    let local = local.lowercased()
    let found: FeedElement? =
      switch namespace {
      case .rss, .rss090, .atom, .atom03: core[local] ?? markup(local)
      // After a stray end tag, an XHTML default namespace can reach beyond its element.
      case .xhtml: xhtml[local] ?? core[local] ?? markup(local)
      case .rdf: rdf[local]
      case .dublinCore, .dublinCoreTerms: dublinCore[local]
      case .content: local == "encoded" ? .contentEncoded : nil
      case .media: media[local]
      case .itunes: itunes[local]
      case .syndication: syndication[local]
      case .feedBurner: feedBurner[local]
      case .foreign: .foreign
      }
    return found ?? .unknown
  }

  /// RSS of all versions, Atom of all versions, and CDF.
  private static let core: [String: FeedElement] = [
    "rss": .rss, "rdf": .rdf, "feed": .feed, "channel": .channel, "item": .item, "entry": .item,
    "source": .source, "skiphours": .skipHours, "skipdays": .skipDays,
    "author": .author, "name": .name, "email": .email,
    "title": .title, "link": .link, "guid": .guid, "id": .id,
    "description": .description, "abstract": .description, "summary": .summary,
    "subtitle": .subtitle, "tagline": .subtitle, "content": .content, "encoded": .contentEncoded,
    "pubdate": .pubDate, "date": .dcDate, "published": .published, "issued": .issued,
    "updated": .updated, "modified": .modified, "created": .created,
    "lastbuilddate": .lastBuildDate, "creator": .creator, "category": .category,
    "enclosure": .enclosure, "origlink": .originalLink, "language": .language,
    "body": .xhtmlBody, "ttl": .timeToLive, "hour": .hour, "day": .day,
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
  ]

  private static let itunes: [String: FeedElement] = [
    "title": .itunesTitle, "author": .itunesAuthor, "summary": .itunesSummary,
    "description": .itunesSummary, "subtitle": .itunesSubtitle, "category": .itunesCategory,
    "keywords": .keywords, "duration": .duration, "new-feed-url": .newFeedURL,
  ]

  private static let syndication: [String: FeedElement] = [
    "updateperiod": .updatePeriod, "updatefrequency": .updateFrequency, "updatebase": .updateBase,
  ]

  private static let feedBurner: [String: FeedElement] = [
    "origlink": .originalLink, "origenclosurelink": .originalEnclosureLink,
  ]

  private static let xhtml: [String: FeedElement] = ["body": .xhtmlBody, "div": .xhtmlBody]

  private static func markup(_ local: String) -> FeedElement? {
    HTMLElement.kind(of: local.utf8).map { kind in
      kind == .dropped ? .scriptMarkup : kind.separatesWords ? .blockMarkup : .inlineMarkup
    }
  }
}
