package import FeedModel
import System

/// Reads one whole document into a `Feed`.
///
/// Its bytes become clean UTF-8 (`DocumentDecoder`), which libxml2 or the JSON reader reads into a
/// handler that knows what the elements mean; a broken document is repaired first (`MarkupRepair`).
package enum FeedParser {
  /// The feed that a document holds.
  ///
  /// - Parameters:
  ///   - bytes: The document as it came.
  ///   - url: Where it comes from: the base of what has no other.
  ///   - charset: What the transport says about the encoding (RFC 7303 §3).
  ///   - limits: How much of the document is taken.
  /// - Returns: The feed with its stories in the document's order.
  /// - Throws: What makes the document no feed, or refused.
  package static func feed(
    _ bytes: UnsafeRawBufferPointer,
    url: String?,
    charset: String? = nil,
    limits: ParsingLimits = .standard,
  ) throws(FeedParsingError) -> Feed {
    guard bytes.count <= limits.maximumBytes else {
      throw .limitExceeded(name: "bytes of the document", limit: limits.maximumBytes)
    }
    let decoder = try DocumentDecoder(bytes, charset: charset, maximumBytes: limits.maximumBytes)
    var feed = try decoder.withBytes(of: bytes) { (utf8) throws(FeedParsingError) in
      switch utf8.first(where: { !$0.isXMLWhitespace }) {
      case nil: throw .empty
      case UInt8(ascii: "{"):
        try JSONFeedReader(url: url, limits: limits).feed(utf8.bindMemory(to: UInt8.self))
      default: try markup(utf8, url: url, limits)
      }
    }
    feed.notes = Array((decoder.notes + feed.notes).prefix(FeedLint.maximumNotes))
    return feed
  }

  private static func markup(
    _ utf8: UnsafeRawBufferPointer,
    url: String?,
    _ limits: ParsingLimits,
  ) throws(FeedParsingError) -> Feed {
    let document = try MarkupDocument(utf8, url: url, limits: limits) {
      FeedDocumentHandler(url: url, limits: limits)
    }
    let handler = document.handler
    guard handler.isFeed else {
      if case .rdf = handler.root.kind { throw .notAFeed(root: "RDF") }
      guard let first = document.firstRecovery else {
        throw .malformed(line: 1, reason: "no root element")
      }
      throw .malformed(line: first.line, reason: SafeText.line(first.reason))
    }
    let isCut = handler.results.isCut
    let isWhole = document.isComplete && handler.isRootClosed
    var feed = try handler.results.feed(
      handler.feedDraft,
      root: handler.root,
      bases: handler.bases.bases,
    )
    feed.isComplete = isWhole && !isCut
    feed.notes = document.remarks(isWhole: isWhole || isCut) + feed.notes
    return feed
  }
}
