import System

// The part before the root element, of which only the line feeds are written.
extension MarkupRepair {
  struct Prolog {
    var hasMarkup = false
    var hasJunk = false
    /// True if anything was dropped before the XML declaration.
    var hasBegun = false
  }

  /// The bytes of junk that are searched for a feed behind it.
  private static let lookahead = 64 << 10

  mutating func readProlog() throws(FeedParsingError) {
    let tag = ByteScan.first(UInt8(ascii: "<"), in: bytes, from: position) ?? bytes.count
    guard tag == position else { return pass(to: tag) }
    switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
    case UInt8(ascii: "?"): readPrologInstruction()
    case UInt8(ascii: "!"): try readPrologDeclaration()
    default: readFirstElement()
    }
  }

  private mutating func pass(to end: Int) {
    let text = slice(position..<end)
    // A byte order mark may stand in the middle of joined files.
    if text.contains(where: { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }) { addJunk() }
    if !text.isEmpty { prolog.hasBegun = true }
    dropKeepingLines(to: end)
  }

  mutating func addJunk() {
    if !prolog.hasJunk { findings.add(.leadingJunk) }
    prolog.hasJunk = true
  }

  private mutating func readPrologInstruction() {
    let isDeclaration =
      bytes.hasASCII("<?xml", at: position) && rest.count > 5 && rest[5].isXMLWhitespace
    if isDeclaration {
      if prolog.hasBegun, !prolog.hasJunk { findings.add(.secondDeclaration) }
      prolog.hasMarkup = true
    }
    prolog.hasBegun = true
    drop(to: position + 2)
    // A declaration has no `>` inside, and its `?` is sometimes forgotten.
    _ = swallow(through: isDeclaration ? ">" : "?>")
  }

  private mutating func readPrologDeclaration() throws(FeedParsingError) {
    prolog.hasBegun = true
    if bytes.hasASCII("<!--", at: position) {
      drop(to: position + 4)
      _ = swallow(through: "-->")
    } else if bytes.hasASCII("<!DOCTYPE", at: position) {
      try readDocumentType()
    } else {
      pass(to: position + 2)
      addJunk()
    }
  }

  private mutating func readDocumentType() throws(FeedParsingError) {
    prolog.hasMarkup = true
    var reader = DocumentTypeReader(rest)
    guard let length = reader.read() else {
      guard rest.count <= DocumentTypeReader.maximumLength else {
        throw .limitExceeded(
          name: "bytes of the document type",
          limit: DocumentTypeReader.maximumLength,
        )
      }
      return drop(to: bytes.count)
    }
    entities = reader.entities
    dropKeepingLines(to: position + length)
  }

  private mutating func readFirstElement() {
    let end = XMLNameScan.end(bytes, from: position + 1)
    guard end > position + 1, end < bytes.count, end - position <= XMLNameScan.maximumLength else {
      pass(to: endOfJunk())
      return addJunk()
    }
    prolog.hasMarkup = true
    let name = slice(position + 1..<end)
    let local = name.split(separator: UInt8(ascii: ":")).last.map(Array.init) ?? []
    switch String(decoding: local, as: UTF8.self).lowercased() {
    case "html", "head", "body", "frameset": stage = .page
    // It is a fragment of a page, or a server's warning before a feed.
    case let name where Self.fragments.contains(name): passFragment()
    default: stage = .content
    }
  }

  /// The offset behind this `<`, and behind later ones followed by white space or another `<`.
  private func endOfJunk() -> Int {
    var end = position + 1
    while let next = ByteScan.first(UInt8(ascii: "<"), in: bytes, from: end),
      next + 1 < bytes.count, bytes[next + 1] <= 0x20 || bytes[next + 1] == UInt8(ascii: "<")
    {
      end = next + 1
    }
    return end
  }

  private mutating func passFragment() {
    let window = slice(0..<min(bytes.count, position + Self.lookahead))
    guard let start = Self.feedStart(in: window, from: position) else {
      stage = .page
      return
    }
    addJunk()
    prolog.hasBegun = true
    dropKeepingLines(to: start)
  }

  private static let fragments: Set<String> = [
    "a", "article", "b", "basefont", "blockquote", "br", "center", "code", "div", "em", "font",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i", "iframe", "img",
    "input", "li", "link", "main", "meta", "nav", "noscript", "ol", "p", "pre", "script", "section",
    "small", "span", "strong", "style", "table", "tbody", "td", "th", "title", "tr", "tt", "u",
    "ul",
  ]

  private static func feedStart(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
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

  mutating func resumeProlog() {
    drop(to: position + 1)
    addJunk()
    guesses += 1
    stage = .prolog
  }
}
