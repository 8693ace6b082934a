package import System

/// Why a document is not a feed, or is refused.
package enum FeedParsingError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  /// A web page, and the feeds that it announces (`link rel="alternate"`).
  case webPage(announced: [AnnouncedFeed])
  /// XML or JSON, but no feed; the name of its root.
  case notAFeed(root: String)
  case unrecognized
  /// XML that ended before it came to a root element, or could not be recovered.
  case malformed(line: Int, reason: String)
  /// A declaration in the document type that no feed needs (entities, attribute lists, elements).
  case declarationRefused(kind: String)
  case limitExceeded(name: String, limit: Int)
  case unsupportedEncoding(String)
  /// Of libxml2, or of zlib where a document was handed over compressed.
  case library(LibraryFault)
  /// The process that reads ended while it was at the document alone.
  case readerEnded
  /// This machine had no room for a process that reads.
  case resourcesExhausted

  package var description: String {
    switch self {
    case .empty: "empty document"
    case .webPage: "a web page, not a feed"
    case .notAFeed(let root): "not a feed: the root element is \(root)"
    case .unrecognized: "not a feed: neither XML nor JSON"
    case .malformed(let line, let reason): "line \(line): \(reason)"
    case .declarationRefused(let kind): "refused: the document declares \(kind)"
    case .limitExceeded(let name, let limit): "refused: \(name) over \(limit)"
    case .unsupportedEncoding(let name): "unsupported encoding \(name)"
    case .readerEnded: "the process that reads documents ended at this one"
    case .resourcesExhausted: "this machine is out of memory, threads or open files"
    case .library(let fault): fault.description
    }
  }
}
