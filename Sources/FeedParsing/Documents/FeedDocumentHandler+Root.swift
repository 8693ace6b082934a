import FeedModel

extension FeedDocumentHandler {
  /// Takes the root element, which alone decides whether this is a feed, and of which format.
  func startRoot(
    _ code: FeedElementCode,
    _ attributes: XMLAttributes,
  ) throws(FeedParsingError) -> Scope? {
    let name = root.lastName
    results.language = attributes.xmlValue("lang")
    results.version = attributes.raw("version")?.string
    switch code.element {
    case .rss: root.start(.rss(version: results.version), home: name.namespace)
    case .rdf: root.start(.rdf, home: nil)
    case .feed: root.start(.atom, home: name.namespace)
    case .channel: startChannelRoot(name, attributes)
    case .item where code.isAtom && name.local == "entry":
      // An entry document (RFC 4287 §2): a feed of one.
      root.start(.atom, home: name.namespace)
      return startItem(code, attributes)
    default: throw .notAFeed(root: SafeText.line(name.qualified))
    }
    return .feed
  }

  /// A root `channel` is CDF, whose channel has attributes, or RSS that lost its outermost element.
  private func startChannelRoot(_ name: XMLName, _ attributes: XMLAttributes) {
    let isCDF =
      name.local == "CHANNEL" || attributes.raw("href") != nil || attributes.raw("lastmod") != nil
    root.start(isCDF ? .cdf : .rss(version: nil), home: name.namespace)
    takeCDFAttributes(attributes)
  }

  /// CDF's `HREF`, `BASE` and `LASTMOD` (of a channel or an item), and RDF's `about`.
  func takeCDFAttributes(_ attributes: XMLAttributes) {
    guard attributes.count > 0 else { return }
    if let base = attributes.raw("base") { bases.enter(base.string) }
    if let url = attributes.value("href", into: draft.buffer) { keepLink(url, rank: 1) }
    if let date = attributes.value("lastmod", into: draft.buffer), !date.isEmpty {
      draft.keep(FieldDraft(span: date, mode: .plain), as: .modified)
    }
  }
}
