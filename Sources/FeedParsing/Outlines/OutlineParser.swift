package import FeedModel

/// Reads a subscription list (OPML 1.0, 1.1, 2.0) through the same guarded stages as a feed.
package enum OutlineParser {
  /// Elements of one list, feeds or not.
  package static let maximumElements = 100_000
  /// Folders inside one another.
  package static let maximumDepth = 64

  /// What a list says, in the document's order.
  package struct Result: Hashable, Sendable {
    package var document = OutlineDocument()
    /// Whether the document closed its root element; otherwise something is missing.
    package var isComplete = false
  }

  /// The elements of a list; `feed` is nil in all of them.
  ///
  /// - Throws: `notAFeed` when its root element is not `opml`, or what makes it no XML, or refused.
  package static func read(_ bytes: [UInt8]) throws(FeedParsingError) -> Result {
    let limits = ParsingLimits.standard
    let handler = OutlineHandler()
    var decoder = DocumentDecoder(charset: nil, maximumDecodedBytes: limits.maximumBytes)
    var repair = MarkupRepair()
    let xml = XMLPushParser(handler: handler, limits: limits, texts: repair.texts)
    let chunks = ChunkBuffer()
    func push(_ utf8: UnsafeRawBufferPointer) throws(FeedParsingError) {
      try chunks.append(utf8) { (chunk) throws(FeedParsingError) in try xml.parse(chunk) }
    }
    func take(_ utf8: UnsafeRawBufferPointer) throws(FeedParsingError) {
      try repair.repair(utf8) { (utf8) throws(FeedParsingError) in try push(utf8) }
    }
    try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      try decoder.decode(UnsafeRawBufferPointer(bytes)) { (utf8) throws(FeedParsingError) in
        try take(utf8)
      }
    }
    try decoder.finish { (utf8) throws(FeedParsingError) in try take(utf8) }
    try repair.finish { (utf8) throws(FeedParsingError) in try push(utf8) }
    try chunks.finish { (chunk) throws(FeedParsingError) in try xml.parse(chunk) }
    try xml.finish()
    guard handler.hasRoot else { throw .unrecognized }
    return Result(document: handler.document, isComplete: repair.isRootClosed)
  }
}
