/// The vocabularies that feeds mix, told apart by namespace URI.
///
/// URIs are compared without scheme, case, `www.` and a trailing `/` or `#`: real feeds get those
/// wrong more often than anything else in them.
enum FeedNamespace: Hashable, Sendable {
  /// The case of no namespace, any URI that RSS 0.91 to 2.0 were ever given, and RSS 1.0.
  case rss
  case rss090
  case atom
  /// Atom 0.3 and the drafts before it (Echo, Pie).
  case atom03
  case rdf
  case dublinCore
  case content
  case media
  case itunes
  case podcast
  case simpleChapters
  case syndication
  case feedBurner
  case xhtml
  case foreign

  /// Chooses by the URI, or else by the conventional meaning of the prefix.
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
    "dc": .dublinCore, "dcterms": .dublinCore, "content": .content, "media": .media,
    "itunes": .itunes, "googleplay": .itunes, "podcast": .podcast, "psc": .simpleChapters,
    "sy": .syndication, "feedburner": .feedBurner, "pheedo": .feedBurner, "xhtml": .xhtml,
  ]

  private static let exact: [String: FeedNamespace] = {
    var namespaces = ["": FeedNamespace.rss]
    for (namespace, uris) in uris {
      for uri in uris.split(whereSeparator: \.isWhitespace) { namespaces[String(uri)] = namespace }
    }
    return namespaces
  }()

  private static let uris: [FeedNamespace: String] = [
    .rss: """
    purl.org/rss/1.0 purl.org/rss/2.0 purl.org/net/rss1.1 blogs.law.harvard.edu/tech/rss
    cyber.law.harvard.edu/rss cyber.law.harvard.edu/rss/rss.html rssboard.org/rss-specification
    my.netscape.com/publish/formats/rss-0.91.dtd
    """,
    .rss090: "my.netscape.com/rdf/simple/0.9 channel.netscape.com/rdf/simple/0.9",
    .atom: "w3.org/2005/atom",
    .atom03: """
    purl.org/atom purl.org/atom/ns purl.org/echo purl.org/pie example.com/newformat
    example.com/necho uri/of/echo/namespace
    """,
    .rdf: "w3.org/1999/02/22-rdf-syntax-ns",
    .dublinCore: "purl.org/dc purl.org/dc/terms",
    .content: "purl.org/rss/1.0/modules/content purl.org/rss/modules/content",
    .media: """
    video.search.yahoo.com/mrss tools.search.yahoo.com/mrss search.yahoo.com/searchmonkey/media
    rssboard.org/media-rss
    """,
    .itunes: "google.com/schemas/play-podcasts/1.0 example.com/dtds/podcast-1.0.dtd",
    .podcast: """
    podcastindex.org/namespace/1.0
    github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md
    """,
    .simpleChapters: "podlove.org/simple-chapters",
    .syndication: "purl.org/rss/1.0/modules/syndication",
    .feedBurner: "pheedo.com/namespace/pheedo",
    .xhtml: "w3.org/1999/xhtml w3.org/2002/06/xhtml2",
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
