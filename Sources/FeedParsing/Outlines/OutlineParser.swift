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
    return try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      let source = UnsafeRawBufferPointer(bytes)
      let decoder = try DocumentDecoder(source, maximumBytes: limits.maximumBytes)
      return try decoder.withBytes(of: source) { (utf8) throws(FeedParsingError) in
        let outline = try MarkupDocument(utf8, url: nil, limits: limits) { OutlineHandler() }
        guard outline.handler.hasRoot else { throw .unrecognized }
        return Result(document: outline.handler.document, isComplete: outline.isComplete)
      }
    }
  }
}

extension OutlineElement {
  /// What a reader is shown of it: its `text`, else its `title`, as one line without markup (OPML 2.0
  /// allows HTML there); nil when nothing is left.
  package var displayTitle: String? {
    for name in ["text", "title"] {
      guard let value = value(name) else { continue }
      let title = PlainText.fromHTML(value)
      if !title.isEmpty { return title }
    }
    return nil
  }
}
