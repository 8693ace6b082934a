/// The second stage of a markup document: UTF-8 in any chunking in, XML that libxml2 digests whole
/// out: no XML declaration, no comment's or processing instruction's text, no DOCTYPE, references
/// to nothing but the five predefined entities and legal characters, and balanced tags.
struct MarkupRepair {
  /// Whether the root element was closed by the document itself.
  private(set) var isRootClosed = false
  /// What had to be recovered, each a short sentence without a full stop.
  private(set) var notes: [String] = []

  /// - Parameter url: Where the document came from: the base of a web page's links.
  init(url: String? = nil) {
  }

  /// Repairs the next bytes of the document.
  ///
  /// A web page is swallowed: `finish` throws `FeedParsingError.webPage` with the feeds announced.
  mutating func repair(
    _ chunk: UnsafeRawBufferPointer,
    into sink: ByteSink,
  ) throws(FeedParsingError) {
    try sink(chunk)
  }

  /// Hands on what was held back; the document has ended.
  mutating func finish(into sink: ByteSink) throws(FeedParsingError) {
  }
}
