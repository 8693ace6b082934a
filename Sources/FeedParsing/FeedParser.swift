package import FeedModel

/// Reads one document, handed over in pieces of any size, into a `Feed`.
///
/// The bytes go through stages: `DocumentDecoder` (gzip, encodings; UTF-8 out), `MarkupRepair` (what
/// is broken), `XMLPushParser`, and a handler that knows what the elements mean; or to the JSON
/// reader. It lives and dies in one thread.
package final class FeedParser {
  private enum Kind {
    case markup
    case json
  }

  /// Texts that wait for their marks to come back from libxml2: bounded where there is much text
  /// and little markup.
  private static let maximumHeldText = 64 << 10

  private let url: String?
  private let limits: ParsingLimits
  private let handler: FeedDocumentHandler
  private let xml: XMLPushParser
  private var decoder: DocumentDecoder
  private var repair: MarkupRepair
  private let texts: MarkupTexts
  private let chunks = ChunkBuffer()
  private var kind: Kind?
  /// A JSON document, which is read when it has ended.
  private let json = TextBuffer()
  /// Whether there was a `<` at all.
  private var hasMarkup = false
  private var bytesTaken = 0
  private var failure: FeedParsingError?

  /// - Parameters:
  ///   - url: Where the bytes come from: the base of what has no other.
  ///   - charset: What the transport says about the encoding (RFC 7303 §3).
  ///   - limits: How much of the document is taken.
  package init(url: String?, charset: String? = nil, limits: ParsingLimits = .standard) {
    self.url = url
    self.limits = limits
    handler = FeedDocumentHandler(url: url, limits: limits)
    decoder = DocumentDecoder(charset: charset, maximumDecodedBytes: limits.maximumBytes)
    repair = MarkupRepair(url: url)
    texts = repair.texts
    xml = XMLPushParser(handler: handler, limits: limits, texts: texts)
  }

  /// Takes the next bytes of the document.
  ///
  /// - Throws: What makes the document no feed, or refused; every later call throws the same.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(FeedParsingError) {
    try remembering { () throws(FeedParsingError) in
      let (sum, overflow) = bytesTaken.addingReportingOverflow(bytes.count)
      guard !overflow, sum <= limits.maximumBytes else {
        throw .limitExceeded(name: "bytes of the document", limit: limits.maximumBytes)
      }
      bytesTaken = sum
      try decoder.decode(bytes) { (utf8) throws(FeedParsingError) in try take(utf8) }
    }
  }

  /// The document has ended: what was in it.
  package func finish() throws(FeedParsingError) -> Feed {
    try remembering { () throws(FeedParsingError) in
      try decoder.finish { (utf8) throws(FeedParsingError) in try take(utf8) }
      guard let kind else { throw .empty }
      guard kind == .markup else { return }
      try repair.finish { (utf8) throws(FeedParsingError) in try push(utf8) }
      try chunks.finish { (chunk) throws(FeedParsingError) in try xml.parse(chunk) }
      try xml.finish()
    }
    return try feed()
  }

  private func feed() throws(FeedParsingError) -> Feed {
    if kind == .json {
      let bytes = json.bytes(TextSpan(start: 0, end: json.count))
      var feed = try JSONFeedReader(url: url, limits: limits).feed(bytes)
      feed.notes = decoder.notes + feed.notes
      return feed
    }
    guard handler.isFeed else { throw rejection() }
    var feed = handler.results.feed(
      handler.feedDraft,
      root: handler.root,
      bases: handler.bases.bases,
    )
    feed.isComplete = isWhole && !handler.results.isCut
    let found = decoder.notes + repair.notes + recoveries() + feed.notes
    feed.notes = Array(found.prefix(FeedLint.maximumNotes))
    return feed
  }

  /// Why what has ended was no feed.
  private func rejection() -> FeedParsingError {
    guard hasMarkup else { return .unrecognized }
    if case .rdf = handler.root.kind { return .notAFeed(root: "RDF") }
    guard let first = xml.recovered.first else {
      return .malformed(line: 1, reason: "no root element")
    }
    return .malformed(line: first.line, reason: SafeText.line(first.reason))
  }

  /// Whether the root element was closed by the document, and everything before it was read.
  private var isWhole: Bool { repair.isRootClosed && handler.isRootClosed }

  private func recoveries() -> [String] {
    let isCut = !isWhole
    let errors = xml.recovered.filter { !(isCut && $0.isEnd) }
    return errors.map { "line \($0.line): \(SafeText.line($0.reason))" }
      + (isCut ? ["the document breaks off"] : [])
  }

  /// UTF-8 from the decoder: its first significant byte tells JSON from markup.
  private func take(_ utf8: UnsafeRawBufferPointer) throws(FeedParsingError) {
    if kind == nil {
      guard let first = utf8.first(where: { !$0.isXMLWhitespace }) else { return }
      kind = first == UInt8(ascii: "{") ? .json : .markup
    }
    hasMarkup = hasMarkup || ByteScan.first(UInt8(ascii: "<"), in: utf8, from: 0) != nil
    guard kind == .markup else {
      json.append(utf8.bindMemory(to: UInt8.self))
      return
    }
    try repair.repair(utf8) { (utf8) throws(FeedParsingError) in try push(utf8) }
    guard texts.heldBytes > Self.maximumHeldText else { return }
    try chunks.finish { (chunk) throws(FeedParsingError) in try xml.parse(chunk) }
  }

  private func push(_ utf8: UnsafeRawBufferPointer) throws(FeedParsingError) {
    try chunks.append(utf8) { (chunk) throws(FeedParsingError) in try xml.parse(chunk) }
  }

  private func remembering(
    _ body: () throws(FeedParsingError) -> Void
  ) throws(FeedParsingError) {
    if let failure { throw failure }
    do {
      try body()
    } catch {
      failure = error
      throw error
    }
  }
}
