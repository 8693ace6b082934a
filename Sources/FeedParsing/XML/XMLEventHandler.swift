/// Who listens to the elements of a document.
///
/// The parser calls it in document order, with start and end always in pairs except where the
/// document breaks off.
protocol XMLEventHandler: AnyObject {
  /// The handler's own number for an element, asked once for each different name.
  func code(of name: XMLName) -> UInt16

  /// - Throws: What ends the parsing.
  func startElement(_ code: UInt16, _ attributes: XMLAttributes) throws(FeedParsingError)

  func endElement(_ code: UInt16) throws(FeedParsingError)

  /// Whether nothing more of the document matters; asked at each start.
  var hasEnough: Bool { get }

  /// Whether text at this place matters; asked before each piece.
  var wantsText: Bool { get }

  /// A piece of text, valid only during the call; the next may continue it.
  func text(_ utf8: UnsafeBufferPointer<UInt8>)
}

/// An element's name as the document has it.
struct XMLName: Hashable, Sendable {
  /// The name without its prefix.
  let local: String
  let prefix: String?
  /// The URI that the prefix (or the default) stands for; nil without one or undeclared.
  let namespace: String?

  /// The name with its prefix, as a person would quote it.
  var qualified: String {
    prefix.map { "\($0):\(local)" } ?? local
  }
}
