import FeedModel

struct FeedRoot {
  enum Kind {
    case rss, rdf, atom, cdf
  }

  private(set) var kind: Kind?
  /// The last name asked for; when the root starts, the root's own.
  private(set) var lastName = XMLName(local: "", prefix: nil, namespace: nil)
  /// The unknown namespace of the root: in this document it is the feed's own.
  private var home: String?
  private var usesRSS090 = false
  private var usesRSS10 = false
  private var usesAtom03 = false

  mutating func code(of name: XMLName) -> FeedElementCode {
    lastName = name
    let namespace = self.namespace(of: name)
    note(namespace, of: name)
    let element = FeedVocabulary.element(name.local, in: namespace)
    return FeedElementCode(element, isAtom: isAtom(namespace, name))
  }

  mutating func isRSS(_ uri: String) -> Bool {
    let namespace = FeedNamespace.known(uri)
    if namespace == .rss090 { usesRSS090 = true }
    return namespace == .rss || namespace == .rss090
  }

  private func namespace(of name: XMLName) -> FeedNamespace {
    let namespace = FeedNamespace(of: name)
    guard namespace == .foreign, let uri = name.namespace else { return namespace }
    // An unknown namespace of a root that is called like a feed's: take its word for it.
    let isRoot = kind == nil && ["rss", "rdf", "feed", "channel"].contains(name.local.lowercased())
    return isRoot || uri == home ? .rss : namespace
  }

  private mutating func note(_ namespace: FeedNamespace, of name: XMLName) {
    switch namespace {
    case .rss090: usesRSS090 = true
    case .rss: usesRSS10 = usesRSS10 || name.namespace != nil
    case .atom03: usesAtom03 = true
    default: break
    }
  }

  private func isAtom(_ namespace: FeedNamespace, _ name: XMLName) -> Bool {
    switch kind {
    case .atom: namespace == .atom || namespace == .atom03 || namespace == .rss
    // RSS with Atom's namespace as the default one is RSS all the same.
    case .rss, .rdf, .cdf: (namespace == .atom || namespace == .atom03) && name.prefix != nil
    case nil: namespace == .atom || namespace == .atom03
    }
  }

  mutating func start(_ kind: Kind, home: String?) {
    self.kind = kind
    self.home = home
  }

  func format(version: String?) -> FeedFormat {
    switch kind {
    case .rss: Self.rssFormat(version)
    case .rdf: usesRSS090 && !usesRSS10 ? .rss090 : .rss10
    case .atom: usesAtom03 || version == "0.3" ? .atom03 : .atom10
    case .cdf: .cdf
    case nil: .rss20
    }
  }

  /// Reads versions as feeds write them: `0.91`, `2.0`, `2.0.1`, `2.00`, `2`; without one, RSS 2.0.
  private static func rssFormat(_ version: String?) -> FeedFormat {
    guard let version else { return .rss20 }
    let formats: [(prefix: String, format: FeedFormat)] = [
      ("0.91", .rss091), ("0.92", .rss092), ("0.93", .rss093), ("0.94", .rss094),
      ("0.9", .rss090), ("1.", .rss10),
    ]
    return formats.first { version.hasPrefix($0.prefix) }?.format ?? .rss20
  }
}
