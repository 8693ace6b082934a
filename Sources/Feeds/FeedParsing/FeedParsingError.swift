package import System

package enum FeedParsingError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  case empty
  case webPage(announced: [AnnouncedFeed])
  case notAFeed(root: String)
  case unrecognized
  /// XML that ended before a root element, or could not be recovered.
  case malformed(line: Int, reason: String)
  /// A declaration in the document type that no feed needs (entities, attribute lists, elements).
  case declarationRefused(kind: String)
  case limitExceeded(name: String, limit: Int)
  case unsupportedEncoding(String)
  /// A fault of libxml2, or of zlib where a document was handed over compressed.
  case library(LibraryFault)
  /// The end of the process that reads, while it had this document alone.
  case readerEnded
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
    case .library(let fault): fault.sentence
    }
  }
}
