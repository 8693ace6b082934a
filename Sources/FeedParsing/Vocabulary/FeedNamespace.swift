/// The vocabularies that feeds mix, told apart by namespace URI.
///
/// URIs are compared without scheme, case, `www.` and a trailing `/` or `#`: real feeds get those
/// wrong more often than anything else in them.
enum FeedNamespace: Hashable, Sendable {
  /// No namespace, any URI that RSS 0.91 to 2.0 were ever given, or RSS 1.0.
  case rss
  /// RSS 0.90, the RDF format of Netscape.
  case rss090
  case atom
  /// Atom 0.3 and the drafts before it (Echo, Pie).
  case atom03
  case rdf
  case dublinCore
  case dublinCoreTerms
  /// RSS 1.0's `content:encoded`.
  case content
  case media
  /// Podcasts: iTunes and Google Play.
  case itunes
  /// RSS 1.0's update hints.
  case syndication
  case feedBurner
  case xhtml
  case foreign

  /// The namespace of an element: by its URI, else by what its prefix means by convention.
  init(of name: XMLName) {
    if let uri = name.namespace {
      self =
        Self.known(uri) ?? name.prefix.flatMap { Self.conventional[$0.lowercased()] } ?? .foreign
    } else if let prefix = name.prefix {
      self = Self.conventional[prefix.lowercased()] ?? .foreign
    } else {
      self = .rss
    }
  }

  /// The namespace that a URI stands for, or is a known mistake for; nil for all others.
  static func known(_ uri: String) -> FeedNamespace? {
    let uri = simplified(uri)
    return exact[uri] ?? families.first { uri.hasPrefix($0.prefix) }?.namespace
  }

  private static func simplified(_ uri: String) -> String {
    var rest = Substring(uri.lowercased())
    for prefix in ["http://", "https://"] where rest.hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
    }
    if rest.hasPrefix("www.") { rest = rest.dropFirst(4) }
    while let last = rest.last, last == "/" || last == "#" || last.isWhitespace {
      rest = rest.dropLast()
    }
    return String(rest)
  }

  private static let conventional: [String: FeedNamespace] = [
    "atom": .atom, "atom10": .atom, "a10": .atom, "rss": .rss, "rdf": .rdf,
    "dc": .dublinCore, "dcterms": .dublinCoreTerms, "content": .content, "media": .media,
    "itunes": .itunes, "googleplay": .itunes, "sy": .syndication, "feedburner": .feedBurner,
    "xhtml": .xhtml,
  ]

  private static let exact: [String: FeedNamespace] = [
    "": .rss,
    "purl.org/rss/1.0": .rss,
    "purl.org/rss/2.0": .rss,
    "purl.org/net/rss1.1": .rss,
    "blogs.law.harvard.edu/tech/rss": .rss,
    "cyber.law.harvard.edu/rss": .rss,
    "cyber.law.harvard.edu/rss/rss.html": .rss,
    "rssboard.org/rss-specification": .rss,
    "my.netscape.com/publish/formats/rss-0.91.dtd": .rss,
    "my.netscape.com/rdf/simple/0.9": .rss090,
    "channel.netscape.com/rdf/simple/0.9": .rss090,
    "w3.org/2005/atom": .atom,
    "purl.org/atom": .atom03,
    "purl.org/atom/ns": .atom03,
    "purl.org/echo": .atom03,
    "purl.org/pie": .atom03,
    "example.com/newformat": .atom03,
    "example.com/necho": .atom03,
    "uri/of/echo/namespace": .atom03,
    "w3.org/1999/02/22-rdf-syntax-ns": .rdf,
    "purl.org/dc": .dublinCore,
    "purl.org/dc/terms": .dublinCoreTerms,
    "purl.org/rss/1.0/modules/content": .content,
    "purl.org/rss/modules/content": .content,
    "video.search.yahoo.com/mrss": .media,
    "tools.search.yahoo.com/mrss": .media,
    "search.yahoo.com/searchmonkey/media": .media,
    "rssboard.org/media-rss": .media,
    "google.com/schemas/play-podcasts/1.0": .itunes,
    "example.com/dtds/podcast-1.0.dtd": .itunes,
    "purl.org/rss/1.0/modules/syndication": .syndication,
    "pheedo.com/namespace/pheedo": .feedBurner,
    "w3.org/1999/xhtml": .xhtml,
    "w3.org/2002/06/xhtml2": .xhtml,
  ]

  private static let families: [(prefix: String, namespace: FeedNamespace)] = [
    ("backend.userland.com/rss", .rss),
    ("purl.org/atom/ns#", .atom),
    ("purl.org/dc/elements", .dublinCore),
    ("purl.org/metadata/dublin_core", .dublinCore),
    ("search.yahoo.com/mrss", .media),
    ("itunes.com/dtds/podcast", .itunes),
    ("itunes.apple.com/dtds/podcast", .itunes),
    ("rssnamespace.org/feedburner", .feedBurner),
  ]
}
