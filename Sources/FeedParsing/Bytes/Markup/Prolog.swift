/// What stands before the root element, and how much was seen of it.
struct Prolog {
  /// Junk is searched for the feed behind it as far as this.
  static let lookahead = 64 << 10

  /// Line feeds so far.
  private(set) var lines = 0
  /// Whether there was anything that looks like markup.
  var hasMarkup = false
  var hasJunk = false
  /// Whether anything was dropped before the XML declaration.
  var hasBegun = false

  mutating func count(_ bytes: some Collection<UInt8>) {
    for byte in bytes where byte == 0x0A { lines += 1 }
  }

  enum Beginning: Hashable {
    /// The document's first element.
    case root
    /// An HTML document's.
    case page
    /// An element of HTML, which may be a fragment of a page, or a server's warning before a feed.
    case fragment
  }

  /// What an element's name, without prefix and in small letters, is the beginning of.
  static func beginning(_ name: String) -> Beginning {
    switch name {
    case "html", "head", "body", "frameset": .page
    case let name where fragments.contains(name): .fragment
    default: .root
    }
  }

  private static let fragments: Set<String> = [
    "a", "article", "b", "basefont", "blockquote", "br", "center", "code", "div", "em", "font",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i", "iframe", "img",
    "input", "li", "link", "main", "meta", "nav", "noscript", "ol", "p", "pre", "script", "section",
    "small", "span", "strong", "style", "table", "tbody", "td", "th", "title", "tr", "tt", "u",
    "ul",
  ]

  /// Where a feed begins in some bytes, or nil.
  static func feedStart(in bytes: UnsafeRawBufferPointer) -> Int? {
    var position = 0
    while let candidate = ByteScan.first(UInt8(ascii: "<"), in: bytes, from: position) {
      if starts.contains(where: { bytes.hasASCII($0, at: candidate) }) { return candidate }
      position = candidate + 1
    }
    return nil
  }

  private static let starts: [StaticString] = [
    "<?xml ", "<rss ", "<rss>", "<feed ", "<feed>", "<rdf:RDF ", "<RDF ", "<atom:feed ",
    "<channel>",
    "<channel ", "<rdf:rdf\n", "<rss\n", "<feed\n", "<opml ", "<rss\r", "<feed\r", "<rdf:rdf\r",
  ]
}
