package import System

/// The way back through a feed's older stories, page by page (RFC 5005).
package struct OlderPages: Hashable, Sendable {
  /// The URL of the page to ask next; nil before the first.
  package var next: String?
  /// The reason why nothing older comes; nil while there may be more.
  package var end: String?
  /// The date of the oldest story that has come.
  package var oldest: Date?

  package static let wholeWords = "that is all there is"

  package init() {}

  /// The way back from another URL, whose pages are others.
  package var atAnotherURL: OlderPages {
    var other = OlderPages()
    if end != nil { (other.end, other.oldest) = (end, oldest) }
    return other
  }
}
